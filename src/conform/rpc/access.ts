import type { Api, RpcOperation } from '../../model/api.js'
import { rpcOperations } from '../../model/operations.js'
import type { Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Session } from '../case.js'
import { isOfMoment } from '../outcome.js'
import type { Rule } from '../rule.js'
import { callText, postRpc } from '../wire/write-request.js'
import {
  describeResponse,
  hasResult,
  isBreakdown,
  type JsonRpcResponse,
  readJsonRpcResponse,
} from './json-rpc-response.js'
import { caseWith, type RpcSubject } from './subject.js'

/** Rules for API keys: who may call what. */
export const ACCESS_RULES: readonly Rule[] = [
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
    purpose: 'An unknown key is a client error and causes no server error.',
    clause: 'RFC 9110, 15.5 and 15.6',
    checks: ['J101'],
  },
  {
    id: 'unknown-api-key-wrong-status',
    level: 'warning',
    purpose: 'An unknown key is rejected with HTTP 401, 403 or 404.',
    clause: 'RFC 9110, 15.5.2, 15.5.4 and 15.5.5',
    checks: ['J101'],
  },
  {
    id: 'keyed-method-without-key-accepted',
    level: 'error',
    purpose: 'A method that requires a key rejects calls without one.',
    clause: 'x-access',
    checks: ['J103'],
  },
  {
    id: 'public-method-requires-key',
    level: 'error',
    purpose: 'A public method accepts calls without a key.',
    clause: 'x-access',
    checks: ['J103'],
  },
]

const NOBODYS = 'nobody-was-ever-given-this-key'

/** The cases that need a key in the address. A mock does not check keys. */
export const accessCases = (api: Api): readonly Case[] => {
  const operations = rpcOperations(api)
  const usual = usualKey(api)
  const isPublic = operations.some(({ access }) => access === 'public')
  return [
    caseWith('an unknown key', 1, tryUnknownKey),
    ...(isPublic
      ? [caseWith('reading without a key', 1, (...both) => readWithoutKey(...both, usual))]
      : []),
    ...operations
      .filter(({ access }) => access === 'key')
      .map((operation) => ({
        ...caseWith(`${operation.method} without a key`, 2, (session, { call }) =>
          callWithoutKey(session, usual, operation, call()),
        ),
        operation,
      })),
  ].map((one) => ({ ...one, needsState: true }))
}

const tryUnknownKey = async (session: Session, { call }: RpcSubject): Promise<void> => {
  const address = session.target.rpcWithKey?.(NOBODYS)
  if (address === undefined) throw new NotTested('the URL of the server has no key')
  const exchange = await session.ask(at(session, address, call()))
  const response = readJsonRpcResponse(exchange)
  const received = describeResponse(response)
  const report = (rule: string) =>
    session.report(rule, exchange, {
      message: `an unknown key got ${received}`,
      expected: 'HTTP 401, 403 or 404, and no result',
    })
  if (hasResult(response)) return report('unknown-api-key-accepted')
  if (response.kind === 'none' || isAway(response)) throw new NotTested(`it got ${received}`)
  const { status } = response
  if (status >= 500) return report('unknown-api-key-server-error')
  session.observe('unknown key', `HTTP ${status}`, exchange)
  if (![401, 403, 404].includes(status)) report('unknown-api-key-wrong-status')
}

/** No response to compare. The checks of every response report the reason. */
const isAway = (response: JsonRpcResponse): boolean =>
  response.kind === 'none' || isOfMoment(response.status)

const readWithoutKey = async (
  session: Session,
  { api, method, call }: RpcSubject,
  usual: string | undefined,
): Promise<void> => {
  const operation = rpcOperations(api).find((one) => one.method === method)
  const address = openAddress(session, usual)
  if (operation?.access !== 'public') throw new NotTested(NO_ADDRESS)
  const exchange = await session.ask(at(session, address, call()))
  const response = readJsonRpcResponse(exchange)
  if (hasResult(response)) return
  const message = `it got ${describeResponse(response)}`
  // A server that fails does not require a key.
  if (isAway(response) || isBreakdown(response)) throw new NotTested(message)
  session.report('public-method-requires-key', exchange, {
    message: `without a key ${message}`,
    expected: 'a result',
    operation,
  })
}

const callWithoutKey = async (
  session: Session,
  usual: string | undefined,
  operation: RpcOperation,
  reading: string,
): Promise<void> => {
  const address = openAddress(session, usual)
  const example = operation.examples.find(({ outcome }) => outcome.kind === 'result')
  if (!example) throw new NotTested('it has no example')
  // If every call without a key is rejected, this rejection proves nothing.
  if (!hasResult(readJsonRpcResponse(await session.ask(at(session, address, reading)))))
    throw new NotTested('no call without a key gets a result')
  const params = operation.paramStructure === 'by-name' ? example.namedParams : example.params
  const exchange = await session.ask(at(session, address, callText(operation.method, params)))
  const response = readJsonRpcResponse(exchange)
  if (hasResult(response))
    session.report('keyed-method-without-key-accepted', exchange, {
      message: `without a key it got ${describeResponse(response)}`,
      expected: 'an error',
    })
}

const NO_ADDRESS = 'the documents have no URL for callers without a key'

const at = ({ target }: Session, url: string, text: string): Sent => {
  return { ...postRpc(target, text), url }
}

/** The address for callers without a key: the documented default replaces the key. Throws NotTested. */
const openAddress = ({ target }: Session, usual: string | undefined): string => {
  const address = usual === undefined ? undefined : target.rpcWithKey?.(usual)
  if (address === undefined) throw new NotTested(NO_ADDRESS)
  return address
}

/** The default value of the key in an address, if all servers of the document declare the same one. */
const usualKey = ({ rpc }: Api): string | undefined => {
  const secrets = (rpc?.servers ?? []).flatMap(({ variables }) =>
    Object.values(variables).filter(({ secret }) => secret === true),
  )
  const [only, another] = new Set(secrets.map((one) => one.default))
  return another === undefined && only !== '' ? only : undefined
}
