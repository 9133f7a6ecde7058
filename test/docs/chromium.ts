import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { handoverTools } from '../handover/tools.js'
import { ROOT } from '../pack/packed.js'

/** Where Debian puts it; no other browser is tried. */
export const CHROMIUM = '/usr/bin/chromium'

export const hasChromium = existsSync(CHROMIUM)

if (!hasChromium)
  process.stderr.write(
    `${CHROMIUM} is not there: what drives a browser is skipped (apt-get install chromium)\n`,
  )

/** A headless Chromium, and the text of axe-core, both from what the tests of handing over install. */
export async function openChromium() {
  const folder = join(ROOT, 'test/handover')
  // One at a time: two installations in one folder take each other's files away.
  await handoverTools()
  const require = createRequire(join(folder, 'package.json'))
  const playwright: Playwright = await import(
    pathToFileURL(require.resolve('playwright-core')).href
  ).then((module) => module.default ?? module)
  const browser = await playwright.chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
  })
  return { browser, axe: require.resolve('axe-core/axe.min.js') }
}

/** Waits until an expression holds. Playwright's own waiting evaluates text within the page, which its policy forbids. */
export const until = async (tab: Tab, expression: string): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    if (await tab.evaluate<boolean>(`Boolean(${expression})`)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`never came to hold: ${expression}`)
}

/** As much of playwright as is used here: its types are not among our own dependencies. */
type Playwright = {
  readonly chromium: {
    readonly launch: (options: {
      readonly executablePath: string
      readonly args: readonly string[]
    }) => Promise<Browser>
  }
}

export type Browser = {
  readonly newPage: (options?: {
    readonly viewport?: { readonly width: number; readonly height: number }
    readonly colorScheme?: 'light' | 'dark'
    readonly bypassCSP?: boolean
  }) => Promise<Tab>
  readonly newContext: (options: {
    readonly recordHar: { readonly path: string }
  }) => Promise<Pick<Browser, 'newPage' | 'close'>>
  readonly close: () => Promise<void>
}

export type Tab = {
  readonly goto: (url: string) => Promise<unknown>
  readonly url: () => string
  readonly title: () => Promise<string>
  readonly close: () => Promise<void>
  readonly click: (selector: string) => Promise<void>
  readonly fill: (selector: string, text: string) => Promise<void>
  readonly setInputFiles: (selector: string, path: string) => Promise<void>
  readonly waitForEvent: (event: 'download') => Promise<{
    readonly suggestedFilename: () => string
    readonly path: () => Promise<string>
  }>
  readonly selectOption: (selector: string, value: string) => Promise<unknown>
  readonly getAttribute: (selector: string, name: string) => Promise<string | null>
  readonly inputValue: (selector: string) => Promise<string>
  readonly isVisible: (selector: string) => Promise<boolean>
  readonly textContent: (selector: string) => Promise<string | null>
  readonly waitForSelector: (
    selector: string,
    options?: { readonly state?: 'hidden' },
  ) => Promise<unknown>
  readonly waitForURL: (url: RegExp) => Promise<void>
  readonly evaluate: <T>(code: string) => Promise<T>
  readonly addScriptTag: (script: { readonly path: string }) => Promise<unknown>
  readonly on: (
    event: 'console' | 'pageerror' | 'request' | 'dialog',
    report: (what: {
      text: () => string
      type: () => string
      url: () => string
      message: string
      dismiss: () => Promise<void>
    }) => void,
  ) => void
  readonly keyboard: {
    readonly press: (key: string) => Promise<void>
    readonly type: (text: string) => Promise<void>
  }
}
