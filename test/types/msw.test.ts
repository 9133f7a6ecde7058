import { setupWorker } from 'msw/browser'
import { setupServer } from 'msw/node'
import { describe, expectTypeOf, it } from 'vitest'
import { createHandlers, type Overrides } from '../../generated/msw.js'

const queueId = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'
/** The body is compiled, never run. */
const typed = (_: () => unknown): void => {}

describe('the handlers', () => {
  it('are what the worker of a browser and the server of Node take', () =>
    typed(() => {
      setupWorker(...createHandlers()).use(...createHandlers({ server: 'testnet' }))
      setupServer(...createHandlers()).use(...createHandlers({ server: 'http://a.example' }))
      createHandlers({ server: { http: 'mainnet', rpc: 'http://a.example/rpc' } })
      // @ts-expect-error a port is part of an address
      createHandlers({ server: 8080 })
    }))
})

describe('an override of a method', () => {
  const of = (_: Overrides): void => {}

  it('is given its params and gives its result', () =>
    typed(() => {
      of({ ethChainId: { result: '0x1' } })
      of({
        ethGetBalance: async ([address, block], context) => {
          expectTypeOf(address).toEqualTypeOf<`0x${string}`>()
          expectTypeOf(context.operation.kind).toEqualTypeOf<'rpc'>()
          return block === undefined ? undefined : { result: '0x0' }
        },
      })
      of({ ethGetTransactionReceipt: { result: null } })
      // @ts-expect-error a quantity is a string
      of({ ethChainId: { result: 1 } })
      // @ts-expect-error a balance is not null
      of({ ethGetBalance: () => ({ result: null }) })
      // @ts-expect-error a result is named, so that it is no example
      of({ ethChainId: '0x1' })
      // @ts-expect-error it answers or it refuses
      of({ ethGetBalance: { result: '0x0', error: -32000 } })
      // @ts-expect-error there is no such method
      of({ ethChainID: { result: '0x1' } })
    }))

  it('names the examples and the errors that the documents have', () =>
    typed(() => {
      of({ ethChainId: { example: 'mainnet' } })
      of({ ethGetBalance: [{ error: -32000 }, { error: 'header not found' }, { result: '0x0' }] })
      of({ ethGetBalance: { error: { code: 7, message: 'out of order' } } })
      // @ts-expect-error there is no such example
      of({ ethChainId: { example: 'elsewhere' } })
      // @ts-expect-error it declares no such code
      of({ ethGetBalance: { error: 3 } })
      // @ts-expect-error nor an error of this name
      of({ ethGetBalance: { error: 'execution reverted' } })
      // @ts-expect-error it declares no error at all
      of({ ethChainId: { error: -32000 } })
    }))
})

describe('an override of an HTTP operation', () => {
  const of = (_: Overrides): void => {}

  it('is one of the declared answers, a status or an example', () =>
    typed(() => {
      of({ getZktTransaction: { status: 200, body: { status: 'pending', queueId } } })
      of({ getZktTransaction: { status: 404 } })
      of({ getZktTransaction: { status: 200, example: 'completed' } })
      of({ getZktTransaction: { example: 'unknownQueueId', headers: { 'retry-after': 3 } } })
      of({ getZktTransaction: ({ path }) => ({ status: 404, body: { error: path.queueId } }) })
      // @ts-expect-error no answer has this status
      of({ getZktTransaction: { status: 410 } })
      // @ts-expect-error nobody receives this
      of({ getZktTransaction: { status: 404, body: { wrong: true } } })
      // @ts-expect-error there is no such state
      of({ getZktTransaction: { status: 200, body: { status: 'lost', queueId } } })
      // @ts-expect-error there is no such example
      of({ getZktTransaction: { example: 'callRead' } })
      // @ts-expect-error it has no such parameter
      of({ getZktTransaction: ({ path }) => ({ status: 404, body: { error: path.hash } }) })
    }))

  it('is one for all forms, or one for each', () =>
    typed(() => {
      of({ tryZkt: { example: 'callRead' } })
      of({
        tryZkt: {
          variants: {
            message: ({ body }) => {
              expectTypeOf(body.arguments).toEqualTypeOf<string>()
              return { status: 200, body: { success: true, queueId } }
            },
            deploy: { status: 503 },
          },
        },
      })
      // @ts-expect-error there is no such form
      of({ tryZkt: { variants: { letter: { status: 503 } } } })
      const body = { success: true, output: ['7'] } as const
      // @ts-expect-error nobody is answered with an output for a message
      of({ tryZkt: { variants: { message: { status: 200, body } } } })
    }))
})
