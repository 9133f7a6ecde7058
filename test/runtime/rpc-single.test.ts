import { expect, it } from 'vitest'
import { createRpcClient } from '../../generated/rpc.client.js'
import { createRpcConnection, ethChainId, ethGetBalance } from '../../generated/rpc.methods.js'
import { errorOf, fakeFetch, type WireCall } from './rpc-fixture.js'

const answering = () =>
  fakeFetch(({ body }) => {
    const answer = ({ id, method }: WireCall) => ({
      jsonrpc: '2.0',
      id,
      result: method === 'eth_chainId' ? '0x1' : '0x2',
    })
    return Array.isArray(body) ? body.map(answer) : answer(body as WireCall)
  })
const address = `0x${'00'.repeat(20)}` as const

it('calls a method by itself, with the options of every client', async () => {
  const { fetch, sent } = answering()
  const options = { server: 'http://h.example', auth: { apiKey: 'k' }, fetch }
  const rpc = createRpcConnection(options)
  expect([await ethChainId(rpc), await ethGetBalance(rpc, address, 'latest')]).toEqual([
    '0x1',
    '0x2',
  ])
  expect(sent.map(({ url, body }) => [url, body])).toEqual([
    ['http://h.example/zgt/k', { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }],
    [
      'http://h.example/zgt/k',
      { jsonrpc: '2.0', id: 2, method: 'eth_getBalance', params: [address, 'latest'] },
    ],
  ])
})

it('collects methods in a batch, and may be called through the whole client', async () => {
  const { fetch, sent } = answering()
  const rpc = createRpcConnection({ fetch })
  const both = rpc.batch((b) => Promise.all([ethChainId(b), ethGetBalance(b, address)]))
  expect(await both).toEqual(['0x1', '0x2'])
  expect(await ethChainId(createRpcClient({ fetch }))).toBe('0x1')
  expect(sent.map(({ body }) => [body].flat().length)).toEqual([2, 1])
  expect(await errorOf(ethChainId(rpc.with({ signal: AbortSignal.abort() })))).toMatchObject({
    reason: 'aborted',
  })
})

it('validates, unless that is switched off, and explains where it is given the explanations', async () => {
  const { fetch } = answering()
  const explanations = () => import('../../generated/explanations.js')
  const invalid = await errorOf(ethGetBalance(createRpcConnection({ fetch }), '0xnobody'))
  expect(invalid).toMatchObject({
    reason: 'invalid-input',
    issues: [{ keyword: 'schema' }],
  })
  const rpc = createRpcConnection({ fetch, explanations })
  expect(await errorOf(ethGetBalance(rpc, '0xnobody'))).toMatchObject({
    issues: [{ path: ['0'], keyword: 'pattern' }],
  })
  const open = createRpcConnection({ fetch, validate: { request: 'off' } })
  expect(await ethGetBalance(open, '0xnobody')).toBe('0x2')
})
