import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'

const document = (method: string) => `openrpc: 1.3.2
info: { title: Chain, version: '1' }
methods:
  - { name: chain_head, params: [], result: { name: head, schema: { type: string } } }
  - { name: ping, params: [{ name: at, required: true, schema: { type: string } }]${method} }
`

const diff = async (before: string, after: string) => {
  const files = { 'old.openrpc.yaml': document(before), 'new.openrpc.yaml': document(after) }
  const folder = await folderOf(files)
  const [old, next] = Object.keys(files).map((name) => join(folder, name)) as [string, string]
  return twinspec('diff', '--openrpc', next, '--against', old)
}

const result = ', result: { name: pong, schema: { type: string } }'

it('a method that loses its result may be sent by both sides: it is no removed operation, and the message says what to add', async () => {
  const { code, stdout } = await diff(result, '')
  expect(code).toBe(1)
  expect(stdout).toContain('[result-removed]')
  expect(stdout).toContain('[method-direction-widened]')
  expect(stdout).toContain('add x-direction: client if only clients send it')
  expect(stdout).not.toContain('operation-removed')
})

it('a notification of the server that is removed breaks the clients that wait for it', async () => {
  const { code, stdout } = await diff(', x-direction: server', `, x-direction: client${result}`)
  expect(stdout).toContain('[method-direction-changed]')
  expect(stdout).not.toContain('operation-added')
  expect(code).toBe(1)
})
