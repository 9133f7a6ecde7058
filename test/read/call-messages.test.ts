import { expect, it } from 'vitest'
import { emitRpcClient } from '../../src/emit/rpc-client.js'
import { emitServer } from '../../src/emit/server.js'
import { apiOf, openrpcOf } from './api-of.js'

const CANCEL = { notification: 'stop', id: '/id' }
const PROGRESS = { notification: 'step', token: '/token', value: '/value', request: '/token' }

const read = (root: object, direction: object = {}) => {
  const param = (name: string) => ({ name, schema: {} })
  return apiOf({
    openrpc: openrpcOf({
      openrpc: '1.4.1',
      ...root,
      methods: [
        { name: 'run', params: [param('token')], result: { name: 'done', schema: {} } },
        { name: 'stop', params: [param('id')], 'x-direction': 'client', ...direction },
        { name: 'step', params: [param('token'), param('value')], 'x-direction': 'server' },
      ],
    }),
  })
}

it('x-cancel and x-progress of a document are read; those that nobody could use are left out', async () => {
  const whole = await read({ 'x-cancel': CANCEL, 'x-progress': PROGRESS })
  expect(whole.rpc).toMatchObject({ cancel: CANCEL, progress: PROGRESS })
  for (const [name, value] of [
    ['x-cancel', { ...CANCEL, notification: 'run' }],
    ['x-cancel', { ...CANCEL, id: '/other' }],
    ['x-cancel', { notification: 'stop' }],
    ['x-progress', { ...PROGRESS, request: '/value' }],
    ['x-progress', 'step'],
  ] as const) {
    const { rpc } = await read({ [name]: value })
    expect([rpc?.cancel, rpc?.progress]).toEqual([undefined, undefined])
  }
})

it('a client imports only what its document has, and only for the side that sends the notification', async () => {
  const partsOf = async (...args: Parameters<typeof read>) => {
    const { text } = emitRpcClient(await read(...args))
    return ['cancelWriter', 'trackProgress'].filter((name) => text.includes(name))
  }
  expect(await partsOf({})).toEqual([])
  expect(await partsOf({ 'x-cancel': CANCEL })).toEqual(['cancelWriter'])
  expect(await partsOf({ 'x-progress': PROGRESS })).toEqual(['trackProgress'])
  expect(await partsOf({ 'x-cancel': CANCEL }, { 'x-direction': 'server' })).toEqual([])
})

it('a server needs no handler for the notification that cancels calls', async () => {
  const members = async (root: object) =>
    /readonly stop(\??):/.exec(emitServer(await read(root)).text)?.[1]
  expect([await members({}), await members({ 'x-cancel': CANCEL })]).toEqual(['', '?'])
})
