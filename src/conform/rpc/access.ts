import type { Api, RpcOperation } from '../../model/api.js'
import type { Case, Complaint, Session } from '../case.js'
import { ruleRows } from '../rule.js'
import type { Answer, Exchange, Sent } from '../wire/exchange.js'
import { callText, postRpc } from '../wire/write-request.js'
import { describeReply, hasResult, isBreakdown, type Reply, readReply } from './reply.js'
import { caseWith, rpcOperations } from './subject.js'

/** Who may call what. */
export const ACCESS_RULES = ruleRows([
  {
    id: 'unknown-api-key-accepted',
    level: 'error',
    purpose: 'An unknown key is rejected.',
    clause: 'x-secret; RFC 9110, 15.5.2',
    checks: ['J101'],
  },
  {
    id: 'unknown-api-key-server-error',
    level: 'error',
    purpose: 'An unknown key is the mistake of its sender: the server does not fail because of it.',
    clause: 'RFC 9110, 15.5 and 15.6',
    checks: ['J101'],
  },
  {
    id: 'unknown-api-key-wrong-status',
    level: 'warning',
    purpose: 'HTTP says that a key is unknown: 401, 403 or 404.',
    clause: 'RFC 9110, 15.5.2, 15.5.4 and 15.5.5',
    checks: ['J101'],
  },
  {
    id: 'keyed-method-without-key-accepted',
    level: 'error',
    purpose: 'A method that needs a key is rejected without one.',
    clause: 'x-access',
    checks: ['J103'],
  },
  {
    id: 'public-method-requires-key',
    level: 'error',
    purpose: 'A public method answers without a key.',
    clause: 'x-access',
    checks: ['J103'],
  },
])

/** A key that no portal gives out. */
const NOBODYS = 'nobody-was-ever-given-this-key'

/** The cases that stand on a key in the address; what a mock lets in is no secret. */
export const accessCases = (api: Api): readonly Case[] =>
  [unknownKey, ...withoutKey(api)].map((one) => ({ ...one, needsState: true }))

const UNKNOWN = 'an unknown key'

const unknownKey = caseWith(UNKNOWN, 1, async (session, subject) => {
  const address = session.target.rpcWithKey?.(NOBODYS)
  if (address === undefined) {
    session.skip(`JSON-RPC, ${UNKNOWN}`, 'the address of the server holds no key')
    return []
  }
  const exchange = await session.ask(at(session, address, subject.call()))
  const reply = readReply(exchange)
  const complaint = (rule: (typeof ACCESS_RULES)[number]['id']): readonly Complaint[] => [
    {
      rule,
      message: `an unknown key brought ${describeReply(reply)}`,
      expected: 'HTTP 401, 403 or 404, and no result',
      exchange,
    },
  ]
  if (hasResult(reply)) return complaint('unknown-api-key-accepted')
  if (isAway(reply)) {
    session.skip(`JSON-RPC, ${UNKNOWN}`, `it brought ${describeReply(reply)}`)
    return []
  }
  const { status } = exchange.answer as Answer
  if (status >= 500) return complaint('unknown-api-key-server-error')
  session.observe('unknown key', `HTTP ${status}`, exchange)
  return [401, 403, 404].includes(status) ? [] : complaint('unknown-api-key-wrong-status')
})

/** No key was compared with another. Why is reported by the checks of every response. */
const isAway = (reply: Reply): boolean =>
  reply.kind === 'none' || reply.status === 429 || reply.status === 503

const withoutKey = (api: Api): readonly Case[] => {
  const operations = rpcOperations(api)
  const keyed = operations.filter(({ access }) => access === 'key')
  const usual = usualKey(api)
  return [
    ...(operations.some(({ access }) => access === 'public')
      ? [
          caseWith('reading without a key', 1, (session, { method, call }) => {
            const operation = operations.find((one) => one.method === method)
            return readWithoutKey(session, usual, operation, call())
          }),
        ]
      : []),
    ...keyed.map((operation) => ({
      ...caseWith(`${operation.method} without a key`, 2, (session, { call }) =>
        callWithoutKey(session, usual, operation, call()),
      ),
      operation,
    })),
  ]
}

const readWithoutKey = async (
  session: Session,
  usual: string | undefined,
  operation: RpcOperation | undefined,
  text: string,
): Promise<readonly Complaint[]> => {
  const address = openAddress(session, usual)
  const skip = (why: string): readonly Complaint[] => {
    session.skip('JSON-RPC, reading without a key', why)
    return []
  }
  if (address === undefined || operation?.access !== 'public') return skip(NO_ADDRESS)
  const exchange = await session.ask(at(session, address, text))
  const reply = readReply(exchange)
  if (hasResult(reply)) return []
  // Who fails has not asked for a key.
  if (isAway(reply) || isBreakdown(reply)) return skip(`it brought ${describeReply(reply)}`)
  const message = `without a key it brought ${describeReply(reply)}`
  return [
    { rule: 'public-method-requires-key', message, expected: 'a result', exchange, operation },
  ]
}

const callWithoutKey = async (
  session: Session,
  usual: string | undefined,
  operation: RpcOperation,
  reading: string,
): Promise<readonly Complaint[]> => {
  const name = `JSON-RPC, ${operation.method} without a key`
  const address = openAddress(session, usual)
  const example = operation.examples.find(({ outcome }) => outcome.kind === 'result')
  if (address === undefined || !example) {
    session.skip(name, address === undefined ? NO_ADDRESS : 'it has no example')
    return []
  }
  // Refused along with everything else, it would tell nothing.
  if (!hasResult(readReply(await session.ask(at(session, address, reading))))) {
    session.skip(name, 'nothing is answered without a key')
    return []
  }
  const params = operation.paramStructure === 'by-name' ? example.namedParams : example.params
  const exchange: Exchange = await session.ask(
    at(session, address, callText(operation.method, params)),
  )
  const reply = readReply(exchange)
  if (!hasResult(reply)) return []
  const message = `without a key it brought ${describeReply(reply)}`
  return [
    {
      rule: 'keyed-method-without-key-accepted',
      message,
      expected: 'an error',
      exchange,
      operation,
    },
  ]
}

const NO_ADDRESS = 'the documents name no address for callers without a key'

const at = ({ target }: Session, url: string, text: string): Sent => ({
  ...postRpc(target, text),
  url,
})

/** Where callers without a key are answered: the server's own address, or that with the documented default. */
const openAddress = ({ target }: Session, usual: string | undefined): string | undefined =>
  usual === undefined ? undefined : target.rpcWithKey?.(usual)

/** The value in an address in place of a key, where the documents agree on it. */
const usualKey = ({ rpc }: Api): string | undefined => {
  const secrets = (rpc?.servers ?? []).flatMap(({ variables }) =>
    Object.values(variables).filter(({ secret }) => secret === true),
  )
  const [only, another] = new Set(secrets.map((one) => one.default))
  return another === undefined && only !== '' ? only : undefined
}
