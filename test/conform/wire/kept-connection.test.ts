import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createWire } from '../../../src/conform/wire/wire.js'

it('a kept connection collects no listeners, however many requests go over it', async () => {
  const warnings: string[] = []
  const note = ({ name }: Error) => void warnings.push(name)
  process.on('warning', note)
  let connections = 0
  const server = createServer((_, response) => response.end('ok'))
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { wire, close } = createWire()
  for (let index = 0; index < 15; index++)
    await wire({ method: 'GET', url, headers: {} }, { milliseconds: 5_000 })
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.off('warning', note)
  close()
  server.close()
  expect(connections).toBe(1)
  expect(warnings).not.toContain('MaxListenersExceededWarning')
})
