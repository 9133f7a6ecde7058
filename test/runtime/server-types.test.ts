import { expect, expectTypeOf, it } from 'vitest'
import type {
  HttpContext,
  HttpHandler,
  HttpInput,
  HttpReply,
  RpcHandler,
  VariantHandlers,
} from '../../src/runtime/server.js'

// What openapi-typescript writes for an operation.
type Headers = { [name: string]: unknown }
type Operations = {
  read: {
    parameters: { query?: { limit?: number }; header?: never; path: { id: string }; cookie?: never }
    requestBody?: never
    responses: {
      200: { headers: Headers; content: { 'application/json': { id: string } } }
      204: { headers: Headers; content?: never }
      '4XX': { headers: Headers; content: { 'application/json': { error: string } } }
      default: { headers: Headers; content: { 'application/json': { crash: true } } }
    }
  }
  suggest: { requestBody?: { content: { 'application/json': { a: string } } }; responses: object }
  submit: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    requestBody: { content: { 'application/json': { a: string } | { b: number } } }
    responses: {
      200: {
        headers: Headers
        content: { 'application/json': { hash: string } | { output: string[] } }
      }
      400: { headers: Headers; content: { 'application/json': { error: string } } }
    }
  }
}
type Forms = {
  message: { input: { body: { a: string } }; result: { hash: string }; error: { error: string } }
  call: { input: { body: { b: number } }; result: { output: string[] }; error: { error: string } }
}
type Handlers = {
  readonly read: HttpHandler<Operations['read']>
  readonly submit: VariantHandlers<Operations['submit'], Forms>
  readonly balance: RpcHandler<{ params: [address: string, block?: string]; result: `0x${string}` }>
}

const create = (handlers: Handlers): string[] => Object.keys(handlers)

it('every handler is there, and each answers what its document declares', () => {
  const read: Handlers['read'] = ({ path, query }) =>
    path.id === ''
      ? { status: 404, body: { error: 'no' } }
      : { status: 200, body: { id: `${path.id}${query.limit}` } }
  const submit: Handlers['submit'] = {
    message: ({ body }) => ({ status: 200, body: { hash: body.a } }),
    call: async ({ body }) =>
      body.b === 0
        ? { status: 200, body: { error: 'reverted' } }
        : { status: 200, body: { output: [] } },
  }
  const balance: Handlers['balance'] = ([address, block = 'latest']) => `0x${address}${block}`
  expect(create({ read, submit, balance })).toHaveLength(3)

  // @ts-expect-error: balance is missing
  create({ read, submit })
  // @ts-expect-error: the form `call` is missing
  create({ read, balance, submit: { message: submit.message } })
  // @ts-expect-error: a message cannot yield output
  const output: Handlers['submit']['message'] = () => ({ status: 200, body: { output: [] } })
  // @ts-expect-error: 401 is not declared for submit
  const unknown: Handlers['submit']['message'] = () => ({ status: 401, body: { error: '' } })
  expect([output, unknown]).toHaveLength(2)
  // @ts-expect-error: 404 has another body
  create({ submit, balance, read: () => ({ status: 404, body: { id: '' } }) })
  // @ts-expect-error: 204 has no body
  create({ submit, balance, read: () => ({ status: 204, body: { id: '' } }) })
  // @ts-expect-error: a number is no quantity
  create({ read, submit, balance: () => 5 })
})

it('a variant has its own body in each success, and no error of a default beside one', () => {
  type Body<Name extends string> = { headers: Headers; content: { 'application/json': Name } }
  type Rare = {
    requestBody: { content: { 'application/json': unknown } }
    responses: { 210: Body<'declared'>; default: Body<'error'> }
  }
  type Parts = { own: { input: { body: unknown }; result: 'own'; error: 'own error' } }
  type Reply = Awaited<ReturnType<VariantHandlers<Rare, Parts>['own']>>
  expectTypeOf<Extract<Reply, { status: 210 }>['body']>().toEqualTypeOf<'own' | 'own error'>()
  expectTypeOf<Extract<Reply, { status: 200 }>['body']>().toEqualTypeOf<'error'>()
})

it('inputs and replies are typed by the operation', () => {
  expectTypeOf<HttpInput<Operations['read']>['query']>().toEqualTypeOf<{ limit?: number }>()
  expectTypeOf<HttpInput<Operations['read']>['path']>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<HttpInput<Operations['read']>['body']>().toEqualTypeOf<undefined>()
  expectTypeOf<HttpInput<Operations['suggest']>['body']>().toEqualTypeOf<
    { a: string } | undefined
  >()
  expectTypeOf<HttpInput<Operations['submit']>['body']>().toEqualTypeOf<
    { a: string } | { b: number }
  >()
  expectTypeOf<{ status: 204 }>().toExtend<HttpReply<Operations['read']>>()
  expectTypeOf<{ status: 200 }>().not.toExtend<HttpReply<Operations['read']>>()
  expectTypeOf<HttpReply<Operations['submit']>['status']>().toEqualTypeOf<200 | 400>()
  expectTypeOf<HttpContext['auth'][string]>().toEqualTypeOf<string | undefined>()
})
