import { HTTP_RULES, httpCases } from '../../../src/conform/http/cases.js'
import { STATE_RULES } from '../../../src/conform/rules.js'
import { runCases } from '../../../src/conform/run-cases.js'
import { createSession } from '../../../src/conform/session.js'
import { stateCases } from '../../../src/conform/state/cases.js'
import { createTarget, type TargetOptions } from '../../../src/conform/target.js'
import { withBodies } from '../../../src/conform/values/bodies.js'
import { createPace } from '../../../src/conform/wire/pace.js'
import { parseDocument } from '../../../src/read/document.js'
import { loadApi } from '../../../src/read/load.js'
import { createChecker } from '../../../src/schema/check.js'
import { type Exchange, type Sent, textOf } from '../../../src/traffic/exchange.js'

/** What a server of a few lines answers; a text is why it answers nothing. */
export type Serve = (asked: {
  readonly method: string
  readonly url: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body where it is JSON. */
  readonly json: unknown
}) =>
  | {
      readonly status: number
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  | string

/** Runs the cases whose names fit on a server of a few lines that speaks the paths of a document. */
export const judgeSmall = async (
  { paths, methods, servers = '[{ url: https://small.example }]' }: Documents,
  which: RegExp,
  serve: Serve,
  options: TargetOptions = {},
): Promise<Small> => {
  const openapi = `
openapi: 3.1.0
info: { title: Small, version: '1' }
servers: ${servers}
paths:
${paths}`
  const openrpc = `
openrpc: 1.3.2
info: { title: Small, version: '1' }
servers: [{ name: main, url: https://small.example/rpc }]
methods:
${methods}`
  const loaded = await loadApi({
    openapi: parseDocument(openapi, 'small.yaml'),
    ...(methods === undefined ? {} : { openrpc: parseDocument(openrpc, 'rpc.yaml') }),
  })
  const api = withBodies(loaded)
  const target = createTarget(api, { url: 'http://small.test', ...options })
  const checker = createChecker(api.schemas)
  const asked: Sent[] = []
  let clock = 0
  const now = () => clock
  const sleep = async (milliseconds: number) => {
    clock += milliseconds
  }
  const wire = async (sent: Sent): Promise<Exchange> => {
    asked.push(sent)
    const text = textOf(sent.body)
    const path = new URL(sent.url).pathname
    const came = serve({ ...sent, path, text, json: parsed(sent.body) })
    if (typeof came === 'string') return { sent, answer: undefined, failure: came }
    const headers = Object.entries({ 'content-type': 'application/json', ...came.headers })
    const body = Buffer.from(came.body === undefined ? '' : JSON.stringify(came.body))
    return {
      sent,
      answer: { status: came.status, headers, body, milliseconds: 1 },
      failure: undefined,
    }
  }
  const session = createSession({
    ...{ api, target, wire, now, sleep, profile: undefined, seed: 1, milliseconds: 5_000 },
    pace: createPace(undefined, { now, sleep }),
    signal: new AbortController().signal,
  })
  const { skip } = session
  const plan = { ...{ api, target, checker, seed: 1, maxExamples: 1 }, skip }
  const cases = [...httpCases(plan), ...stateCases(plan)].filter(({ name }) => which.test(name))
  const { findings } = await runCases(cases, session)
  const { ways, skipped } = session.seen
  const rules = findings.map(({ rule }) => rule)
  return {
    names: cases.map(({ name }) => name),
    rules: rules.filter((rule) => OWN.has(rule)),
    always: rules.filter((rule) => !OWN.has(rule)),
    asked,
    ways: Object.fromEntries(
      [...ways].map(([choice, seen]) => [choice, [...new Set(seen.map(({ way }) => way))]]),
    ),
    skipped: [...skipped].flatMap(([why, what]) => [...what].map((one) => `${one}: ${why}`)),
  }
}

/** Rules of the cases themselves; the others are of all responses. */
const OWN = new Set([
  'rejection-wrong-code',
  ...[...HTTP_RULES, ...STATE_RULES].map(({ id }) => id),
])

export type Documents = {
  /** The paths of the OpenAPI document, indented by two. */
  readonly paths: string
  /** The methods of an OpenRPC document, as a list. */
  readonly methods?: string
  readonly servers?: string
}

export type Small = {
  readonly names: readonly string[]
  readonly rules: readonly string[]
  /** Of what is due of every answer. */
  readonly always: readonly string[]
  readonly asked: readonly Sent[]
  /** Choice -> each way that was seen. */
  readonly ways: Readonly<Record<string, readonly string[]>>
  readonly skipped: readonly string[]
}

const parsed = (body: Sent['body']): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body ?? '')))
  } catch {
    return undefined
  }
}
