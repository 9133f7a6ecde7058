import { expect, it } from 'vitest'
import { startMock } from '../../src/mock/mock.js'
import { apiOf, method, openrpcOf } from '../read/api-of.js'

it('an error has the data that the document declares', async () => {
  const errors = [
    { code: -32001, message: 'Gone', data: { since: [1, 'a'] } },
    { code: -32002, message: 'Text', data: 'why' },
    { code: -32003, message: 'Null', data: null },
    { code: -32004, message: 'False', data: false },
    { code: -32005, message: 'Bare' },
  ]
  const api = await apiOf({ openrpc: openrpcOf({ methods: [{ ...method('find'), errors }] }) })
  const mock = await startMock(api)
  try {
    for (const error of errors) {
      const response = await fetch(mock.rpcUrl ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: `code=${error.code}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'find', params: [] }),
      })
      expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, error })
    }
  } finally {
    await mock.stop()
  }
})
