import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, hasChromium, openChromium } from '../docs/chromium.js'
import { ROOT } from '../import-graph.js'
import type { Tried } from './worker-page.js'

let server: Server | undefined
let browser: Browser | undefined
let url = ''

/** The page, its bundle, and the worker's script, which lies at the root as `npx msw init` puts it. */
beforeAll(async () => {
  if (!hasChromium) return
  const { outputFiles } = await build({
    stdin: {
      contents: `import { tried } from './test/libraries/worker-page.ts'; globalThis.tried = tried`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['twinspec-source'],
    absWorkingDir: ROOT,
  })
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')
  const files: Readonly<Record<string, readonly [type: string, text: string | undefined]>> = {
    '/': [
      'text/html',
      '<!doctype html><title>page</title><script type=module src=page.js></script>',
    ],
    '/page.js': ['text/javascript', outputFiles[0]?.text],
    '/mockServiceWorker.js': ['text/javascript', readFileSync(worker, 'utf8')],
  }
  const own = createServer(({ url: path = '' }, response) => {
    const [type, text] = files[path] ?? []
    response.writeHead(text === undefined ? 404 : 200, type ? { 'content-type': type } : {})
    response.end(text)
  })
  server = own
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(own.address() as AddressInfo).port}/`
  ;({ browser } = await openChromium())
})

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

describe.skipIf(!hasChromium)('a page whose service worker is that of MSW', () => {
  it('is answered over both protocols by the generated handlers', async () => {
    const tab = await browser?.newPage()
    if (tab === undefined) throw new Error('no browser was opened')
    const complaints: string[] = []
    tab.on('pageerror', ({ message }) => complaints.push(message))
    await tab.goto(url)
    expect(await tab.evaluate<Tried>('tried()')).toEqual({
      controller: `${url}mockServiceWorker.js`,
      message: expect.objectContaining({ success: true, queueId: expect.any(String) }),
      refused: 'Transaction not found',
      chain: '0x133edcb',
      balance: '-32000 header not found',
      answers: [
        { jsonrpc: '2.0', id: 7, result: '0x133edcb' },
        { jsonrpc: '2.0', id: 'eight', error: { code: -32000, message: 'header not found' } },
        { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32601 }) },
      ],
      wrong: [],
    })
    expect(complaints).toEqual([])
    await tab.close()
  })
})
