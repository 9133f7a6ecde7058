import { describe, expectTypeOf, it } from 'vitest'
import {
  createHttpClient,
  type HttpClient,
  type HttpServer,
  isHttpError,
} from '../../generated/http.client.js'
import type { components } from '../../generated/http.types.js'

type Hex = `0x${string}`
type Schemas = components['schemas']
declare const http: HttpClient
const address = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
/** The body is compiled, never run. */
const typed = (_: () => unknown): void => {}

describe('the answer follows from the form of the request', () => {
  it('a message is written', () =>
    typed(async () => {
      const answer = await http.submitZkt({ body: { arguments: 'hi' } })
      expectTypeOf(answer).toEqualTypeOf<Schemas['ZktWriteAnswer'] | Schemas['ZktWarningAnswer']>()
      expectTypeOf(answer.hash).toEqualTypeOf<Hex | null | undefined>()
      expectTypeOf(answer.queueId).toEqualTypeOf<string | undefined>()
      // @ts-expect-error nobody is answered with the address of a contract for a message
      answer.abi
      expectTypeOf(answer.output).toEqualTypeOf<undefined>()
    }))

  it('a call is written or read', () =>
    typed(async () => {
      const body = {
        abi: ['function sum() view returns (uint256)'],
        to: address,
        method: 'sum',
        arguments: [],
        id: 1,
      } as const
      const answer = await http.tryZkt({ body })
      expectTypeOf(answer).toEqualTypeOf<
        Schemas['ZktWriteAnswer'] | Schemas['ZktReadAnswer'] | Schemas['ZktWarningAnswer']
      >()
      if (answer.output !== undefined) {
        expectTypeOf(answer).toEqualTypeOf<Schemas['ZktReadAnswer']>()
        expectTypeOf(answer.output).toEqualTypeOf<string | unknown[]>()
      }
    }))

  it('a deployment has a contract', () =>
    typed(async () => {
      const answer = await http.submitZkt({ body: { code: 'contract C {}', arguments: ['1', 2] } })
      if (answer.contractAddress !== undefined) {
        expectTypeOf(answer).toEqualTypeOf<Schemas['ZktDeployAnswer']>()
        for (const entry of answer.abi)
          if (entry.type === 'function')
            expectTypeOf(entry.outputs).toEqualTypeOf<Schemas['AbiParameter'][]>()
      }
    }))

  it('of a form chosen at run time, the answers of each', () =>
    typed(async () => {
      const body = {} as Schemas['ZktSubmission']
      expectTypeOf(await http.submitZkt({ body })).toEqualTypeOf<
        | Schemas['ZktWriteAnswer']
        | Schemas['ZktReadAnswer']
        | Schemas['ZktDeployAnswer']
        | Schemas['ZktWarningAnswer']
      >()
    }))
})

describe('what fits no form does not compile', () => {
  it('refuses mixtures, wrong types and keys that no form knows', () =>
    typed(() => [
      // @ts-expect-error code beside to and method
      http.submitZkt({ body: { code: 'contract C {}', to: address, method: 'sum' } }),
      // @ts-expect-error a message has no id
      http.submitZkt({ body: { arguments: 'hi', id: 1 } }),
      // @ts-expect-error the arguments of a call are a list
      http.submitZkt({ body: { abi: [], to: address, method: 'sum', arguments: 'hi' } }),
      // @ts-expect-error a call needs arguments
      http.submitZkt({ body: { abi: [], to: address, method: 'sum' } }),
      // @ts-expect-error a deployment does not wait
      http.submitZkt({ body: { code: 'contract C {}', wait: true } }),
      // @ts-expect-error a misspelt key
      http.submitZkt({ body: { argumets: 'hi' } }),
      // @ts-expect-error a key of no form, beside those of one
      http.submitZkt({ body: { arguments: 'hi', colour: 'red' } }),
      // @ts-expect-error the body is required
      http.submitZkt({}),
      // @ts-expect-error the input is required
      http.submitZkt(),
    ]))

  it('refuses operations, parameters and servers that no document knows', () =>
    typed(() => {
      // @ts-expect-error no such operation
      http.sendZkt({ body: { arguments: 'hi' } })
      // @ts-expect-error the queueId is required
      http.getZktTransaction({})
      // @ts-expect-error a queueId is a string
      http.getZktTransaction({ path: { queueId: 5 } })
      // @ts-expect-error no key is needed here
      http.tryZkt({ path: { apiKey: 'k' }, body: { arguments: 'hi' } })
      // @ts-expect-error a submission has no states to follow
      http.submitZkt.poll({ body: { arguments: 'hi' } })
      // @ts-expect-error no such network
      const server: HttpServer = 'devnet'
      // @ts-expect-error no such secret
      createHttpClient({ server, auth: { apiToken: 'k' } })
    }))
})

describe('what the documents promise compiles', () => {
  it('the network by name or by URL, the key once or in the call', () =>
    typed(() => [
      createHttpClient(),
      createHttpClient({ server: 'mainnet', auth: { apiKey: 'k' } }),
      createHttpClient({ server: new URL('http://127.0.0.1:1'), variables: { rpcHost: 'h' } }),
      http.submitZkt({ path: { apiKey: 'k' }, body: { arguments: 'hi' } }, { timeout: 100 }),
    ]))

  it('a status is distinguished by its state', () =>
    typed(async () => {
      for await (const record of http.getZktTransaction.poll({ path: { queueId: 'q' } })) {
        if (record.status === 'completed') {
          expectTypeOf(record.transactionHash).toEqualTypeOf<Hex>()
          expectTypeOf(record.errorMessage).toEqualTypeOf<null | undefined>()
        }
        if (record.status === 'error') expectTypeOf(record.errorMessage).toEqualTypeOf<string>()
        if (record.status === 'pending')
          expectTypeOf(record.transactionHash).toEqualTypeOf<undefined>()
      }
    }))

  it('an exchange is distinguished by its HTTP status', () =>
    typed(async () => {
      const exchanged = await http.getZktTransaction.exchange({ path: { queueId: 'q' } })
      if (exchanged.status === 404) expectTypeOf(exchanged.body).toEqualTypeOf<{ error: string }>()
      // @ts-expect-error no document speaks of 418
      exchanged.status === 418
    }))

  it('an error is narrowed by operation and status', () =>
    typed((error: unknown = undefined) => {
      if (isHttpError(error, 'submitZkt', 401)) {
        expectTypeOf(error.status).toEqualTypeOf<401>()
        expectTypeOf(error.body).toEqualTypeOf<Schemas['ZktError']>()
      }
      // Said under 200 too, where a submission was refused.
      if (isHttpError(error, 'submitZkt', 200)) {
        expectTypeOf(error.body.success).toEqualTypeOf<false>()
      }
      if (isHttpError(error, 'getZktTransaction')) {
        expectTypeOf(error.body).toEqualTypeOf<Schemas['StatusLookupError']>()
      }
      // @ts-expect-error an open endpoint does not answer 401
      isHttpError(error, 'tryZkt', 401)
    }))
})
