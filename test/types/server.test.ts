import { describe, expectTypeOf, it } from 'vitest'
import type { components } from '../../generated/http.types.js'
import { createServer, type Handlers } from '../../generated/server.js'

type Schemas = components['schemas']
declare const handlers: Handlers
declare const transaction: Schemas['StatusPending']
const hash = '0x9f0b6a5d1c27e84f3ab1d5c06e7f92384c61a0d7be35f8129470cd6eab5f3817'
/** The body is compiled, never run. */
const typed = (_: () => unknown): void => {}

describe('a server has every handler', () => {
  it('or does not compile', () =>
    typed(() => {
      createServer(handlers)
      const { ethChainId, ...rest } = handlers
      // @ts-expect-error eth_chainId is not answered
      createServer(rest)
      createServer({ ...rest, ethChainId })
      const { deploy, ...variants } = handlers.submitZkt
      // @ts-expect-error nobody deploys
      createServer({ ...handlers, submitZkt: forms })
      createServer({ ...handlers, submitZkt: { ...variants, deploy } })
    }))
})

describe('a handler of a method', () => {
  it('is given its params and gives its result', () =>
    typed(() => {
      const balance: Handlers['ethGetBalance'] = async ([address, block]) => {
        expectTypeOf(address).toEqualTypeOf<`0x${string}`>()
        return block === undefined ? '0x0' : '0x1'
      }
      const receipt: Handlers['ethGetTransactionReceipt'] = () => null
      // @ts-expect-error a quantity is a string
      const wrong: Handlers['ethGetBalance'] = () => 5
      // @ts-expect-error nothing is no answer
      const silent: Handlers['ethGetBalance'] = () => {}
      // @ts-expect-error a balance is not null
      const missing: Handlers['ethGetBalance'] = () => null
      // @ts-expect-error the address is no number
      const greedy: Handlers['ethGetBalance'] = ([address]: [number]) => String(address)
      return [balance, receipt, wrong, silent, missing, greedy]
    }))
})

describe('a handler of an operation', () => {
  it('is typed by its form', () =>
    typed(() => {
      const message: Handlers['submitZkt']['message'] = ({ body, path }) => {
        expectTypeOf(body.arguments).toEqualTypeOf<string>()
        expectTypeOf(path.apiKey).toEqualTypeOf<string>()
        return { status: 200, body: { success: true, hash } }
      }
      const deploy: Handlers['submitZkt']['deploy'] = ({ body }) => {
        expectTypeOf(body.code).toEqualTypeOf<string>()
        return { status: 200, body: { success: true, contractAddress: hash, abi: [], hash } }
      }
      const refused: Handlers['submitZkt']['call'] = () => ({
        status: 400,
        body: { success: false, error: 'no' },
      })
      // @ts-expect-error a message is not answered with output
      const output: Handlers['submitZkt']['message'] = () => ({
        status: 200,
        body: { success: true, output: ['1'] },
      })
      // @ts-expect-error a message has no ABI
      const abi: Handlers['submitZkt']['message'] = ({ body }) => ({ status: 200, body: body.abi })
      return [message, deploy, refused, output, abi]
    }))

  it('answers what is documented of a status, and no other status', () =>
    typed(() => {
      const found: Handlers['getZktTransaction'] = ({ path }) => {
        expectTypeOf(path.queueId).toEqualTypeOf<string>()
        return { status: 200, body: transaction }
      }
      const unknown: Handlers['getZktTransaction'] = () => ({
        status: 404,
        body: { error: 'Transaction not found' },
      })
      // @ts-expect-error no document speaks of 418
      const teapot: Handlers['getZktTransaction'] = () => ({ status: 418, body: { error: '' } })
      const hollow: Handlers['getZktTransaction'] = () => ({
        status: 200,
        // @ts-expect-error completed, and no hash
        body: { status: 'completed', queueId: 'q' },
      })
      // @ts-expect-error a 404 has a text
      const empty: Handlers['getZktTransaction'] = () => ({ status: 404, body: {} })
      return [found, unknown, teapot, hollow, empty]
    }))
})
