import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseExactly } from '../../src/runtime/shared/exact-integers.js'
import { writeJson } from '../../src/runtime/shared/json.js'
import type { Answer, Case, Handled, Outcome, Request } from './case.js'
import { startServer } from './server.js'

/** The table: `npx tsx -C twinspec-source test/languages/write-cases.ts` writes it. */
export const readCases = (): readonly Case[] =>
  readFileSync(new URL('cases.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case)

/** One case with what a driver did: its answer, and the requests that arrived. */
export type Played = {
  readonly one: Case
  readonly answer: Answer
  readonly requests: readonly Request[]
}

/** Plays cases with a driver, which `command` starts: one after another, over one server. */
export const playCases = async (
  command: readonly string[],
  cases: readonly Case[],
): Promise<readonly Played[]> => {
  const server = await startServer()
  const [program = '', ...args] = command
  const driver = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: driver.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${command.join(' ')} ended before its answer`)
    return JSON.parse(String(value))
  }
  try {
    await next()
    const played: Played[] = []
    for (const one of cases) {
      server.play(one)
      const { server: given = one.sockets ? '{socket}' : '{origin}' } = one.options ?? {}
      const address = given
        .replace('{origin}', server.origin)
        .replace('{socket}', server.origin.replace('http', 'ws'))
      const options = { ...one.options, server: address }
      driver.stdin.write(`${JSON.stringify({ ...one, options, wanted: undefined })}\n`)
      const answer = (await next()) as Answer
      await server.closed()
      const text = JSON.stringify(answer).replaceAll(server.origin, '{origin}')
      played.push({ one, answer: JSON.parse(text), requests: server.requests() })
    }
    return played
  } finally {
    stop(driver)
    server.close()
  }
}

const stop = (driver: ChildProcess): void => {
  driver.stdin?.end()
  driver.kill()
}

/** The differences from what a case wants, as sentences. */
export const differences = ({ one, answer, requests }: Played): readonly string[] => {
  const { outcome, requests: sent, waits, warnings, handled } = one.wanted ?? {}
  const compared: readonly (readonly [string, unknown, unknown])[] = [
    ['outcome', outcome, isOpen(outcome) ? { ...answer.outcome, ...ANY } : answer.outcome],
    ['requests', inOrder(one, sent), inOrder(one, requests)],
    ['waits', waits, answer.waits],
    ['warnings', warnings, answer.warnings],
    ['handled', inTurn(one, handled), inTurn(one, answer.handled)],
  ]
  const secrets = secretsOf(one).filter((secret) => answer.shown.includes(secret))
  return [
    ...compared.flatMap(([name, wanted, found]) =>
      wanted === undefined || canonical(wanted) === canonical(found)
        ? []
        : [`${one.id}: ${name}\n  wanted ${canonical(wanted)}\n  found  ${canonical(found)}`],
    ),
    ...secrets.map((secret) => `${one.id}: shows the secret ${secret}`),
  ]
}

/** Batches, and calls of several threads, may be sent at once, so that any of them may arrive first. */
const inOrder = ({ property, call }: Case, requests: readonly Request[] | undefined) =>
  property === 'splitting' || call.how === 'together'
    ? requests && [...requests].sort((a, b) => (a.body < b.body ? -1 : 1))
    : requests

/** Handlers of notifications run in the order of the messages, those of requests at once. */
const inTurn = ({ call }: Case, handled: readonly Handled[] | undefined) => {
  const isRequest = ({ operation }: Handled) =>
    Object.hasOwn(call.handlers?.[operation] ?? {}, 'result')
  return handled?.some(isRequest)
    ? [...handled].sort((a, b) => (a.value < b.value ? -1 : 1))
    : handled
}

/** Whether any failure of the call is right: languages differ in what they read before it fails. */
const isOpen = (outcome: Outcome | undefined): boolean =>
  outcome?.kind === 'CallError' && outcome.reason === undefined

const ANY = { reason: undefined, pointer: undefined }

/** The spellings of the credentials of a case that nothing may show. */
const secretsOf = ({ property, options }: Case): readonly string[] =>
  property !== 'redaction'
    ? []
    : Object.values(options?.auth ?? {})
        .flatMap((one) =>
          typeof one === 'string' ? [one] : 'user' in one ? [one.password] : one.each,
        )
        .flatMap((text) => [text, encodeURIComponent(text), Buffer.from(text).toString('base64')])

/** JSON with sorted names, also within the texts of values: not every language keeps the order of members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (key, one) =>
    (key === 'value' || key === 'text') && typeof one === 'string' && /^[[{]/.test(one)
      ? sortedText(one)
      : typeof one === 'object' && one !== null && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
        : one,
  )

const sortedText = (text: string): string => {
  try {
    return writeJson(sorted(parseExactly(text)))
  } catch {
    return text
  }
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .map(([name, one]) => [name, sorted(one)] as const)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value
