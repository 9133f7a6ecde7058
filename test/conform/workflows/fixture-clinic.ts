import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConformOptions } from '../../../src/conform/conform.js'
import { runCases } from '../../../src/conform/run-cases.js'
import { createSession } from '../../../src/conform/session.js'
import { createTarget } from '../../../src/conform/target.js'
import { createPace } from '../../../src/conform/wire/pace.js'
import { createWire } from '../../../src/conform/wire/wire.js'
import { workflowsCases } from '../../../src/conform/workflows/cases.js'
import { parseDocument } from '../../../src/read/document.js'
import { loadApi } from '../../../src/read/load.js'
import { createChecker } from '../../../src/schema/check.js'
import { openapiOf, openrpcOf } from '../../read/api-of.js'

/** A clinic: visits over HTTP, its bell over JSON-RPC. `answers` stands for what a test wants of it. */
export const startClinic = async (answers: Answers = {}): Promise<Clinic> => {
  const asked: Asked[] = []
  const server: Server = createServer(async (request, response) => {
    const one = await read(request)
    asked.push(one)
    const name = nameOf(one)
    const nth = asked.filter((other) => nameOf(other) === name).length
    const { status = 200, headers = {}, body, drop } = (answers[name] ?? usual)(one, nth)
    if (drop) return void request.socket.destroy()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export type Clinic = {
  readonly url: string
  readonly asked: readonly Asked[]
  readonly stop: () => Promise<void>
}

export type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** As it came. */
  readonly text: string
  readonly body: unknown
}

/** `POST /visits` or a method's name -> the nth answer. */
export type Answers = Readonly<Record<string, (asked: Asked, nth: number) => Given>>

type Given = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly drop?: true
}

const usual = ({ path, body }: Asked): Given => {
  if (path === '/rpc') {
    const { id } = body as { readonly id: unknown }
    return { body: { jsonrpc: '2.0', id, result: 'rung' } }
  }
  return { body: { id: 'v-1', state: 'open', seats: [{ row: 2 }, { row: 7, window: true }] } }
}

const nameOf = ({ method, path, body }: Asked): string =>
  path === '/rpc'
    ? String((body as { readonly method?: unknown }).method)
    : `${method} ${path.replace(/\?.*/, '').replace(/^\/visits\/.+/, '/visits/ID')}`

const read = async (request: IncomingMessage): Promise<Asked> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const { method = '', url = '', headers } = request
  const isForm = String(headers['content-type']).includes('form')
  return { method, path: url, headers, text, body: text === '' || isForm ? text : JSON.parse(text) }
}

const answer = { 200: { description: 'Done.' }, default: { description: 'Not done.' } }
const parameter = (name: string, where: string) => ({
  name,
  in: where,
  required: where === 'path',
  schema: { type: 'string' },
})
const anyBody = (type: string) => ({ content: { [type]: { schema: {} } } })

const documents = {
  openapi: openapiOf({
    servers: [{ url: 'https://clinic.example' }],
    paths: {
      '/visits': {
        post: {
          operationId: 'book',
          parameters: [parameter('X-Desk', 'header'), parameter('lang', 'query')],
          requestBody: anyBody('application/json'),
          responses: answer,
        },
      },
      '/visits/{id}': {
        get: {
          operationId: 'look',
          parameters: [parameter('id', 'path'), parameter('desk', 'cookie')],
          responses: answer,
        },
      },
      '/desks/{desk}': {
        get: {
          operationId: 'desk',
          parameters: [{ ...parameter('desk', 'path'), 'x-secret': true }],
          responses: answer,
        },
      },
      '/login': {
        post: {
          operationId: 'login',
          requestBody: anyBody('application/x-www-form-urlencoded'),
          responses: answer,
        },
      },
    },
  }),
  openrpc: openrpcOf({
    servers: [{ name: 'bell', url: 'https://clinic.example/rpc' }],
    methods: [
      {
        name: 'bell_ring',
        params: [],
        result: { name: 'sound', schema: {} },
        errors: [{ code: -32601, message: 'There is no bell.' }],
      },
      { name: 'bell_list', params: [], result: { name: 'bells', schema: {} } },
    ],
  }),
}

/** Runs workflows, written in YAML, against a clinic; resolves with what is reported. Nothing is waited for. */
export const report = async (
  workflows: string,
  { url }: Pick<Clinic, 'url'>,
  { key, seconds }: Pick<ConformOptions, 'key'> & { readonly seconds?: number } = {},
) => {
  const text = `arazzo: 1.0.1
info: { title: Clinic, version: '1' }
sourceDescriptions: [{ name: clinic, url: openapi.json, type: openapi }]
${workflows}`
  const api = await loadApi({
    openapi: parseDocument(JSON.stringify(documents.openapi), 'openapi.json'),
    openrpc: parseDocument(JSON.stringify(documents.openrpc), 'openrpc.json'),
    arazzo: parseDocument(text, 'clinic.yaml'),
  })
  const { wire, close } = createWire()
  const slept: number[] = []
  const clock = {
    now: () => slept.reduce((sum, one) => sum + one, 0),
    sleep: async (milliseconds: number) => void slept.push(milliseconds),
  }
  const target = createTarget(api, { url, key })
  const deadline = seconds === undefined ? undefined : 1_000 * seconds
  const pace = createPace(undefined, clock)
  const { signal } = new AbortController()
  const common = { api, target, profile: undefined, seed: 1, ...clock }
  const session = createSession({ ...common, wire, pace, milliseconds: 5_000, deadline, signal })
  const checker = createChecker(api.schemas)
  const cases = workflowsCases({ ...common, checker, maxExamples: 1, skip: session.skip })
  const { findings } = await runCases(cases, session)
  const complaints = findings.filter(({ rule }) => rule === 'workflow-failed')
  close()
  return {
    findings: api.findings.map(({ rule, message }) => `${rule}: ${message}`),
    messages: complaints.map((one) => `${one.source?.locate().line} ${one.message}`),
    complaints,
    notTested: [...session.seen.skipped].map(([why, what]) => `${[...what].join(', ')}: ${why}`),
    covered: [...(session.seen.covered.get('workflow') ?? [])],
    slept,
    cases: cases.map(({ name, cost }) => `${name} ${cost}`),
  }
}
