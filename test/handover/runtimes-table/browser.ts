import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { openChromium } from '../../docs/chromium.js'
import { type Outcome, outcomeIn } from './project.js'
import type { PageFile, PageFiles } from './service.js'

/**
 * A browser, and the files that its pages load: a page for each program that was bundled, at `/page/NAME`, and under
 * `/strict/NAME` the same one with a policy that lets no text become code.
 */
export const createPages = async (app: string): Promise<Pages> => {
  const { browser } = await openChromium()
  const files = new Map<string, PageFile>()
  const worker = await readFile(join(app, 'node_modules/msw/lib/mockServiceWorker.js'))
  files.set('/mockServiceWorker.js', { headers: SCRIPT, body: worker })
  return {
    files: (path) => files.get(path),
    bundle: async (entry) => {
      const name = basename(entry, '.js')
      if (files.has(`/page/${name}`)) return name
      for (const { path, contents } of await bundled(entry, app))
        files.set(`/bundle/${name}/${basename(path)}`, { headers: SCRIPT, body: contents })
      const body = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="module" src="/bundle/${name}/${name}.js"></script>`
      files.set(`/page/${name}`, { headers: PAGE, body })
      files.set(`/strict/${name}`, { headers: { ...PAGE, ...POLICY }, body })
      return name
    },
    open: async (url) => {
      const page = await browser.newPage()
      try {
        return await new Promise<Outcome>((resolve, reject) => {
          const late = `the page reported nothing within ${PATIENCE / 1000} s`
          setTimeout(() => resolve({ fault: late }), PATIENCE).unref()
          page.on('pageerror', ({ message }) => resolve({ fault: message }))
          page.on('console', (line) => {
            const outcome = outcomeIn(line.text())
            if (outcome) resolve(outcome)
          })
          page.goto(url).catch(reject)
        })
      } finally {
        await page.close()
      }
    },
    close: () => browser.close(),
  }
}

export type Pages = {
  readonly files: PageFiles
  /** Bundles a module; the name of its page. */
  readonly bundle: (entry: string) => Promise<string>
  readonly open: (url: string) => Promise<Outcome>
  readonly close: () => Promise<void>
}

const PATIENCE = 60_000

const SCRIPT = { 'content-type': 'text/javascript' }
const PAGE = { 'content-type': 'text/html' }

/** Neither `unsafe-eval` nor `wasm-unsafe-eval`. */
const POLICY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self' http://127.0.0.1:1025; worker-src 'self'; img-src data:",
}

const bundled = async (entry: string, app: string) => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    absWorkingDir: app,
    outdir: join(app, 'bundles'),
    write: false,
    logLevel: 'silent',
  })
  return outputFiles
}
