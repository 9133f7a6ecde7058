import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Case } from '../../../src/conform/case.js'
import { httpCases } from '../../../src/conform/http/cases.js'
import { runCases } from '../../../src/conform/run-cases.js'
import { createSession } from '../../../src/conform/session.js'
import { stateCases } from '../../../src/conform/state/cases.js'
import { createTarget } from '../../../src/conform/target.js'
import { createPace } from '../../../src/conform/wire/pace.js'
import { createWire } from '../../../src/conform/wire/wire.js'
import { createChecker } from '../../../src/schema/check.js'
import { type Asked, createLibrary, type Given, KEY, libraryApi } from './library.js'

const api = await libraryApi()
const checker = createChecker(api.schemas)
const MOST = 2_000

/** What a library that answers otherwise than it should makes of a request; what it should, where it is left out. */
export type Change = (asked: Asked, right: Given) => Given | 'silence'

/** Runs the cases whose names fit on a real server, with clocks that need no waiting. */
export const judgeLibrary = async (
  which: RegExp,
  change: Change = (_, right) => right,
): Promise<Judged> => {
  const library = createLibrary()
  let at = 0
  const server = createServer(async (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const { method = '', headers } = request
    const isLarge = Number(headers['content-length'] ?? 0) > MOST
    const body = isLarge ? undefined : await bodyOf(request)
    const asked = { method, path, query, body, at: at++, headers: headers as Asked['headers'] }
    const given = change(asked, library(asked))
    if (given === 'silence') return void response.destroy()
    if (given.isLate) for await (const _ of request);
    response.on('error', () => undefined)
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers })
    response.end(given.body === undefined ? '' : JSON.stringify(given.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { wire, close } = createWire()
  let clock = 0
  const now = () => clock
  const sleep = async (milliseconds: number) => {
    clock += milliseconds
  }
  try {
    const target = createTarget(api, { url, key: KEY })
    const session = createSession({
      ...{ api, target, wire, now, sleep, profile: undefined, seed: 1, milliseconds: 5_000 },
      pace: createPace(undefined, { now, sleep }),
      signal: new AbortController().signal,
    })
    const skipped: string[] = []
    const plan = {
      ...{ api, target, checker, seed: 1, maxExamples: 1 },
      skip: (what: string, why: string) => skipped.push(`${what}: ${why}`),
    }
    const cases = [...httpCases(plan), ...stateCases(plan)].filter(({ name }) => which.test(name))
    const { findings: reported } = await runCases(cases, session)
    const { ways, skipped: left } = session.seen
    return {
      cases,
      own: reported.filter(({ rule }) => !NOT_OURS.has(rule)).map(({ rule }) => rule),
      messages: reported.map(({ message }) => message),
      ways: Object.fromEntries([...ways].map(([choice, seen]) => [choice, seen[0]?.way])),
      skipped: [
        ...skipped,
        ...[...left].flatMap(([why, what]) => [...what].map((w) => `${w}: ${why}`)),
      ],
    }
  } finally {
    close()
    server.closeAllConnections()
    server.close()
  }
}

export type Judged = {
  readonly cases: readonly Case[]
  readonly own: readonly string[]
  readonly messages: readonly string[]
  readonly ways: Readonly<Record<string, string | undefined>>
  readonly skipped: readonly string[]
}

/** What is asked of every answer has tests of its own. */
const NOT_OURS = new Set([
  'response-of-other-variant',
  'body-invalid',
  'status-is-undeclared',
  'content-type-is-undeclared',
])

const bodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > MOST) resolve(undefined)
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => resolve(undefined))
  })
}
