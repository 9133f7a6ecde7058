import { describe, expectTypeOf, it } from 'vitest'
import type { HttpError } from '../../src/runtime/errors.js'
import type {
  DocumentedExchange,
  ErrorResponses,
  OkStatusOf,
  ResultOf,
} from '../../src/runtime/http/status.js'
import type { ErrorGuard } from '../../src/runtime/http.js'
import type {
  Client,
  Completed,
  ContractCall,
  Deploy,
  Deployed,
  Message,
  Pending,
  Read,
  Refusal,
  Written,
} from './http-fixture.js'

declare const client: Client
declare const isHttpError: ErrorGuard<Client>
/** The body is compiled, never run. */
const typed = (_: () => unknown): void => {}

describe('the answer follows from the request form', () => {
  it('narrows a literal', () =>
    typed(async () => {
      const written = await client.submit({ body: { arguments: 'hi' } })
      expectTypeOf(written).toEqualTypeOf<Written>()
      // @ts-expect-error a message cannot yield output
      written.output
      const deployed = await client.submit({ body: { code: 'contract C {}' } })
      expectTypeOf(deployed).toEqualTypeOf<Deployed>()
    }))

  it('takes readonly bodies', () =>
    typed(async () => {
      const body = {
        abi: ['function f() view returns (uint256)'],
        to: '0x00',
        method: 'f',
        arguments: [],
      } as const
      expectTypeOf(await client.submit({ body })).toEqualTypeOf<Written | Read>()
    }))

  it('gives the union of the answers for a union of forms', () =>
    typed(async () => {
      const either = {} as Message | Deploy
      expectTypeOf(await client.submit({ body: either })).toEqualTypeOf<Written | Deployed>()
      const any = {} as Message | ContractCall | Deploy
      expectTypeOf(await client.submit({ body: any })).toEqualTypeOf<Written | Read | Deployed>()
    }))

  it('refuses mixtures, unknown keys and missing ones', () =>
    typed(() => [
      // @ts-expect-error a mixture of forms
      client.submit({ body: { code: 'contract C {}', to: '0x00', method: 'f' } }),
      // @ts-expect-error a key of no form
      client.submit({ body: { arguments: 'hi', wait: true } }),
      // @ts-expect-error a misspelt key
      client.submit({ body: { code: 'contract C {}', argumets: [] } }),
      // @ts-expect-error no form at all
      client.submit({ body: {} }),
      // @ts-expect-error the body is required
      client.submit({}),
    ]))

  it('lets a call give the secret itself, and nothing undocumented', () =>
    typed(() => [
      client.submit({ path: { apiKey: 'k' }, body: { arguments: 'hi' } }),
      // @ts-expect-error no such parameter
      client.submit({ path: { key: 'k' }, body: { arguments: 'hi' } }),
    ]))

  it('narrows exchange by status and form', () =>
    typed(async () => {
      const answer = await client.submit.exchange({ body: { arguments: 'hi' } })
      if (answer.status === 200) expectTypeOf(answer.body).toEqualTypeOf<Written | Refusal>()
      if (answer.status === 400)
        expectTypeOf(answer.body).toEqualTypeOf<Refusal & { details?: string[] }>()
      if (answer.status === 429) expectTypeOf(answer.body).toEqualTypeOf<Refusal>()
      // @ts-expect-error 500 is not documented
      answer.status === 500
    }))
})

describe('an input asks for what the operation requires', () => {
  it('makes an aspect required only where it holds something required', () =>
    typed(() => [
      client.search(),
      client.search({ query: { limit: 1 } }),
      client.search({}, { timeout: 100 }),
      client.search({ query: { tags: ['a'] as const } }),
      client.remove({ path: { id: '1' }, query: { really: true } }),
      // @ts-expect-error query.really is required
      client.remove({ path: { id: '1' } }),
      // @ts-expect-error an input is required
      client.remove(),
      // @ts-expect-error no such aspect here
      client.search({ path: { id: '1' } }),
      // @ts-expect-error no such parameter
      client.search({ query: { limt: 1 } }),
      // @ts-expect-error wrong type
      client.search({ query: { limit: '1' } }),
      // @ts-expect-error no body here
      client.search({ body: {} }),
    ]))

  it('types a body by its content type', () =>
    typed(() => [
      client.upload(),
      client.upload({ body: { title: 'a' } }),
      client.upload({
        body: { title: 'a', file: new Blob([]) },
        contentType: 'multipart/form-data',
      }),
      client.upload({ body: new FormData(), contentType: 'multipart/form-data' }),
      client.upload({ body: new Blob([]), contentType: 'image/png' }),
      // @ts-expect-error JSON is sent unless another type is asked for
      client.upload({ body: new FormData() }),
      // @ts-expect-error nor is this JSON
      client.upload({ body: { title: 1 } }),
    ]))
})

describe('an answer is the body of 2xx', () => {
  it('reads JSON, text, bytes and nothing', () =>
    typed(async () => {
      expectTypeOf(await client.search()).toEqualTypeOf<string[]>()
      expectTypeOf(
        await client.remove({ path: { id: '1' }, query: { really: true } }),
      ).toEqualTypeOf<undefined>()
      expectTypeOf(await client.upload()).toEqualTypeOf<{ id: string } | string>()
      expectTypeOf(await client.download()).toEqualTypeOf<Blob>()
    }))

  it('is distinguished by status', () =>
    typed(async () => {
      const answer = await client.upload.exchange()
      if (answer.status === 201) expectTypeOf(answer.body).toEqualTypeOf<{ id: string }>()
      const found = await client.search.exchange()
      if (found.status === 200) expectTypeOf(found.body).toEqualTypeOf<string[]>()
      else expectTypeOf(found.body).toEqualTypeOf<{ code: number }>()
    }))

  it('is of every declared status that begins with 2, registered or not', () => {
    type Body<Name extends string> = { headers: object; content: { 'application/json': Name } }
    type Of<Responses> = { responses: Responses }
    type Rare = Of<{ 210: Body<'rare'>; default: Body<'default'> }>
    expectTypeOf<ResultOf<Rare>>().toEqualTypeOf<'rare'>()
    expectTypeOf<OkStatusOf<Rare>>().toEqualTypeOf<210>()
    expectTypeOf<
      Extract<DocumentedExchange<Rare>, { body: 'rare' }>['status']
    >().toEqualTypeOf<210>()
    type OfDefault<O> = Extract<ErrorResponses<O>, { body: 'default' }>['status']
    expectTypeOf<OfDefault<Rare> & (200 | 210 | 404)>().toEqualTypeOf<200 | 404>()
    type Both = Of<{ 200: Body<'ok'>; 299: Body<'last'>; 302: Body<'moved'>; 520: Body<'odd'> }>
    expectTypeOf<ResultOf<Both>>().toEqualTypeOf<'ok' | 'last'>()
    expectTypeOf<ErrorResponses<Both>['status']>().toEqualTypeOf<302 | 520>()
    type Range = Of<{ '2XX': Body<'range'>; 218: Body<'own'>; '4XX': Body<'error'> }>
    expectTypeOf<ResultOf<Range>>().toEqualTypeOf<'range' | 'own'>()
    expectTypeOf<Extract<OkStatusOf<Range>, 200 | 218>>().toEqualTypeOf<200 | 218>()
    type Only = Of<{ 404: Body<'none'>; default: Body<'default'> }>
    expectTypeOf<ResultOf<Only>>().toEqualTypeOf<'default'>()
    expectTypeOf<OfDefault<Only> & (200 | 500)>().toEqualTypeOf<500>()
    type No = Of<{ 404: Body<'none'> }>
    expectTypeOf<ResultOf<No>>().toEqualTypeOf<unknown>()
  })

  it('polls only where the document says so', () =>
    typed(async () => {
      for await (const state of client.getStatus.poll({ path: { queueId: 'q' } }, { interval: 5 }))
        expectTypeOf(state).toEqualTypeOf<Pending | Completed>()
      // @ts-expect-error a search is over at once
      client.search.poll()
    }))
})

describe('the guard', () => {
  it('narrows by operation and status, default and ranges too', () =>
    typed((error: unknown = undefined) => {
      if (isHttpError(error)) expectTypeOf(error).toEqualTypeOf<HttpError>()
      if (isHttpError(error, 'submit', 400)) {
        expectTypeOf(error.status).toEqualTypeOf<400>()
        expectTypeOf(error.body).toEqualTypeOf<Refusal & { details?: string[] }>()
      }
      if (isHttpError(error, 'submit', 429)) expectTypeOf(error.body).toEqualTypeOf<Refusal>()
      if (isHttpError(error, 'submit', 200)) expectTypeOf(error.body).toEqualTypeOf<Refusal>()
      if (isHttpError(error, 'search', 500))
        expectTypeOf(error.body).toEqualTypeOf<{ code: number }>()
      if (isHttpError(error, 'getStatus')) {
        expectTypeOf(error.status).toEqualTypeOf<404>()
        expectTypeOf(error.body).toEqualTypeOf<{ error: string }>()
      }
      if (isHttpError(error, 'submit') && error.status === 400)
        expectTypeOf(error.body.details).toEqualTypeOf<string[] | undefined>()
      // @ts-expect-error 500 is not documented for it
      isHttpError(error, 'submit', 500)
      // @ts-expect-error no such operation
      isHttpError(error, 'sumbit')
    }))
})
