import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkTraffic } from '../../src/conform/check-traffic.js'
import { startMock } from '../../src/mock/mock.js'
import { hasChromium, openChromium, until } from '../docs/chromium.js'
import { apiOf } from '../read/api-of.js'
import { DESK } from './desk.js'

describe.skipIf(!hasChromium)('a HAR file of a browser', () => {
  it('has the messages of a WebSocket, which are read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'har of a browser-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const api = await apiOf({ openrpc: DESK })
    const mock = await startMock(api, { pushInterval: 20 })
    onTestFinished(() => mock.stop())
    const { browser } = await openChromium()
    onTestFinished(() => browser.close())
    const path = join(folder, 'page.har')
    const context = await browser.newContext({ recordHar: { path } })
    const page = await context.newPage()
    await page.goto(mock.url)
    await page.evaluate(`(() => {
      self.messages = []
      const socket = new WebSocket(${JSON.stringify(mock.socketUrl)})
      const call = (id, method, params) => socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      socket.onopen = () => {
        call(1, 'add', [1, 2])
        call(2, 'watch', ['heads'])
        socket.send(new Uint8Array([1, 2, 3]))
      }
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data)
        self.messages.push(message)
        if (message.id === 2) self.id = message.result
        if (self.messages.length === 6) call(3, 'unwatch', [self.id])
        if (message.id === 3) self.isDone = true
      }
    })()`)
    await until(page, 'self.isDone')
    await context.close()
    const { findings, coverage, notTested } = await checkTraffic(api, path)
    expect(findings.map(({ message }) => message)).toEqual([])
    expect(coverage.find(({ kind }) => kind === 'operation')?.met).toEqual([
      'add',
      'watch',
      'unwatch',
    ])
    expect(notTested.map(({ why }) => why)).toContain('it is binary')
  })
})
