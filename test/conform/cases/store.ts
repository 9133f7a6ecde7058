import type { Case, CasesOf, ExchangeFinding, Plan } from '../../../src/conform/case.js'
import { ALL_VALUE_RULES } from '../../../src/conform/rules.js'
import { runCases } from '../../../src/conform/run-cases.js'
import { createSession } from '../../../src/conform/session.js'
import { createTarget } from '../../../src/conform/target.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import { createPace } from '../../../src/conform/wire/pace.js'
import { parametersSchema } from '../../../src/model/params.js'
import { createChecker } from '../../../src/schema/check.js'
import type { Exchange } from '../../../src/traffic/exchange.js'
import { apiOf, openapiOf, openrpcOf } from '../../read/api-of.js'

const HEX = { type: 'string', pattern: '^0x([0-9a-f]{2})*$' }
export const api = await apiOf({
  openrpc: openrpcOf({
    methods: [
      {
        name: 'store_put',
        paramStructure: 'either',
        'x-idempotent': true,
        params: [
          { name: 'data', required: true, schema: HEX },
          { name: 'count', schema: { type: 'integer', minimum: 1, maximum: 9 } },
        ],
        result: { name: 'size', schema: { type: 'integer' } },
        examples: [
          {
            name: 'two',
            params: [
              { name: 'data', value: '0xabcd' },
              { name: 'count', value: 2 },
            ],
            result: { name: 'size', value: 4 },
          },
        ],
      },
      {
        name: 'store_ping',
        paramStructure: 'by-position',
        params: [],
        result: { name: 'r', schema: true },
      },
    ],
  }),
  openapi: openapiOf({
    paths: {
      '/notes/{id}': {
        put: {
          operationId: 'putNote',
          parameters: [
            {
              name: 'id',
              in: 'path',
              required: true,
              schema: { type: 'integer', minimum: 1 },
              example: 3,
            },
            { name: 'tag', in: 'query', schema: { type: 'string', maxLength: 4 }, example: 'red' },
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['text'],
                  additionalProperties: false,
                  properties: { text: { type: 'string', maxLength: 8 } },
                },
                example: { text: 'hello' },
              },
            },
          },
          responses: {
            204: { description: 'Kept.' },
            400: { description: 'Refused.' },
            default: { description: 'An error.' },
          },
        },
      },
    },
  }),
})
const checker = createChecker(api.schemas)
const target = createTarget(api, { url: 'http://127.0.0.1:9' })
const put = api.operations.find((one) => one.kind === 'rpc' && one.method === 'store_put')
const note = api.operations.find((one) => one.kind === 'http')
if (put?.kind !== 'rpc' || note?.kind !== 'http') throw new Error('the documents changed')

/** Answers a request as the documents have it, unless `fault` gives another answer. */
export type Fault = (request: {
  readonly params?: unknown
  readonly method?: string
  readonly body?: unknown
  readonly url: string
  readonly isRight: boolean
}) => { readonly status: number; readonly value?: unknown } | undefined

const serverOf = (fault: Fault = () => undefined) => {
  const texts: string[] = []
  const wire: Wire = async (sent): Promise<Exchange> => {
    texts.push(`${sent.method} ${sent.url} ${sent.body}`)
    const { status, value } = answerTo(sent.url, String(sent.body), fault)
    const body = new TextEncoder().encode(value === undefined ? '' : JSON.stringify(value))
    const headers = [['content-type', 'application/json']] as const
    return { sent, answer: { status, headers, body, milliseconds: 1 }, failure: undefined }
  }
  return { wire, texts }
}

const answerTo = (url: string, text: string, fault: Fault) => {
  const given = JSON.parse(text === 'undefined' ? 'null' : text)
  if (!url.includes('/notes/')) {
    const { method, params = [], id } = given
    const named = parametersSchema({ ...put, paramStructure: 'by-name' })
    const isRight =
      method === 'store_ping'
        ? Array.isArray(params) && params.length === 0
        : checker.schema(Array.isArray(params) ? parametersSchema(put) : named).check(params)
    const other = fault({ params, method, url, isRight })
    if (other !== undefined) return other
    const outcome = isRight ? { result: 4 } : { error: { code: -32602, message: 'no' } }
    return { status: 200, value: { jsonrpc: '2.0', id, ...outcome } }
  }
  const [, id = '', query = ''] = /notes\/([^?]*)(?:\?(.*))?$/.exec(url) ?? []
  const tag = query === '' ? undefined : decodeURIComponent(query.slice('tag='.length))
  const isRight =
    /^\d+$/.test(id) &&
    Number(id) >= 1 &&
    (tag === undefined || [...tag].length <= 4) &&
    checker.schema(note.body?.content[0]?.schema ?? false).check(given)
  const other = fault({ body: given, url, isRight })
  return other ?? (isRight ? { status: 204 } : { status: 400 })
}

/** What the cases of one kind tell of that server, and what was sent to it. */
/** The cases of every operation. */
export const each =
  (casesOf: (plan: Plan) => CasesOf) =>
  (plan: Plan): readonly Case[] =>
    plan.api.operations.flatMap(casesOf(plan))

export const run = async (
  make: (plan: Plan) => readonly Case[],
  fault?: Fault,
  options: { seed?: number; maxExamples?: number } = {},
) => {
  const { wire, texts } = serverOf(fault)
  const now = () => 0
  const sleep = async () => undefined
  const { seed = 1, maxExamples = 30 } = options
  const session = createSession({
    ...{ api, target, wire, seed, now, sleep, profile: undefined, milliseconds: 1_000 },
    pace: createPace(undefined, { now, sleep }),
    signal: new AbortController().signal,
  })
  const plan: Plan = {
    api,
    target,
    checker,
    seed,
    maxExamples,
    skip: session.skip,
  }
  const cases = make(plan)
  const { findings } = await runCases(cases, session)
  const reported = findings.filter(({ rule }) => ALL_VALUE_RULES.some(({ id }) => id === rule))
  return { cases, reported, texts, seen: session.seen }
}

export const paramsOf = ({ exchange }: ExchangeFinding) =>
  JSON.parse(String(exchange.sent.body)).params
export const answered = (result: unknown) => ({
  status: 200,
  value: { jsonrpc: '2.0', id: 1, result },
})
