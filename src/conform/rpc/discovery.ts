import type { Api, RpcOperation } from '../../model/api.js'
import { rpcOperations } from '../../model/operations.js'
import { own } from '../../runtime/checks.js'
import { pointerStep } from '../../runtime/shared/pointer.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { jsonOf } from '../../text/json-text.js'
import { type Case, NotTested } from '../case.js'
import { NOT_OFFERED } from '../operations.js'
import { quoted } from '../report/shown.js'
import { isResponseOfNoOffer } from '../responses/not-offered.js'
import type { Rule } from '../rule.js'
import { callText, postRpc } from '../wire/write-request.js'
import {
  describeResponse,
  errorCodeOf,
  hasResult,
  isRejection,
  readJsonRpcResponse,
  wayOf,
} from './json-rpc-response.js'
import { caseWith, isAbsence, isReading } from './subject.js'

/** Rules for the methods that a server declares and the methods that it has. */
export const DISCOVERY_RULES: readonly Rule[] = [
  {
    id: 'documented-method-missing',
    level: 'error',
    purpose: 'Every documented method exists, unless it declares the error -32601.',
    clause: 'OpenRPC, Method Object',
    checks: ['J106'],
  },
  {
    id: 'discovered-document-differs',
    level: 'warning',
    purpose: 'rpc.discover returns the document that the server is tested against.',
    clause: 'OpenRPC, Service Discovery Method',
    checks: ['J105'],
  },
  {
    id: 'discovery-accepted',
    level: 'warning',
    purpose: 'A server without service discovery reports that rpc.discover does not exist.',
    clause: 'OpenRPC, Service Discovery Method; JSON-RPC 2.0, 8',
    checks: ['J105'],
  },
]

export const discoveryCases = (api: Api): readonly Case[] => [
  discover,
  ...rpcOperations(api).map(methodCase),
]

const discover = caseWith('rpc.discover', 1, async (session) => {
  const exchange = await session.ask(postRpc(session.target, callText('rpc.discover', [])))
  const response = readJsonRpcResponse(exchange)
  if (response.kind === 'one' && errorCodeOf(response.object) === -32601)
    return session.skip('JSON-RPC, the document of rpc.discover', NOT_OFFERED)
  const expected = 'the OpenRPC document, or error -32601'
  const received = describeResponse(response)
  if (isRejection(response))
    return session.report('rejection-wrong-code', exchange, {
      message: `rpc.discover was rejected with the wrong code: ${received}`,
      ...{ expected, aspect: 'rpc.discover', cause: wayOf(response) },
    })
  if (!hasResult(response))
    return session.report('discovery-accepted', exchange, {
      message: `rpc.discover got ${received}`,
      expected,
    })
  const differences = differencesOf(session.api.rpc?.bundled, response.object.outcome.value)
  if (differences.length > 0)
    session.report('discovered-document-differs', exchange, {
      message: `rpc.discover returned another document: ${differences.join('; ')}`,
      expected: 'the same document',
    })
})

const UNKNOWN_PARAMS = 'it may not be read-only, and it has no example'

/** Tests only whether the method exists; the call should have no effect. */
const methodCase = (operation: RpcOperation): Case => ({
  ...caseWith(`${operation.method} exists`, 1, async (session) => {
    const params = paramsFor(operation)
    if (!params) throw new NotTested(UNKNOWN_PARAMS)
    const exchange = await session.ask(postRpc(session.target, callText(operation.method, params)))
    const { answer } = exchange
    if (answer === undefined || !isResponseOfNoOffer(operation, answer)) return
    session.notOffered(operation)
    // The document declares that the method may be missing.
    if (operation.errors.some(isAbsence)) return
    session.report('documented-method-missing', exchange, {
      message: `the server does not offer it: the response was ${describeResponse(readJsonRpcResponse(exchange))}`,
      expected: 'a method that exists, or a document that declares the error -32601',
    })
  }),
  operation,
})

/**
 * A method that only reads is called by its example. One that may write is called without its required params. If it
 * has none it is called by its example too, because a server may ignore extra params and act.
 */
const paramsFor = (operation: RpcOperation): object | undefined => {
  const { params, paramStructure, examples } = operation
  const isByName = paramStructure === 'by-name'
  const none = isByName ? {} : []
  const example = examples.find(({ outcome }) => outcome.kind === 'result')
  const shown = example && (isByName ? example.namedParams : example.params)
  if (isReading(operation)) return shown ?? none
  return params.some(({ required }) => required) ? none : shown
}

/** The methods that only one of the documents has, else the first places where they differ. */
const differencesOf = (ours: unknown, theirs: unknown): readonly string[] => {
  const [own, other] = [methodNames(ours), methodNames(theirs)]
  if (!other) return ['it has no methods']
  const missing = own?.filter((name) => !other.includes(name)) ?? []
  const more = other.filter((name) => !own?.includes(name))
  const lists = [
    ...(missing.length > 0 ? [`it lacks ${list(missing)}`] : []),
    ...(more.length > 0 ? [`it has ${list(more)}, which the document does not have`] : []),
  ]
  if (lists.length > 0) return lists
  return [...places(ours, theirs, '')].slice(0, MOST)
}

const MOST = 5

const list = (names: readonly string[]): string => {
  const rest = names.length - MOST
  return names.slice(0, MOST).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

const methodNames = (document: unknown): readonly string[] | undefined => {
  if (!isObject(document) || !Array.isArray(document.methods)) return undefined
  return document.methods.flatMap((method: unknown) =>
    isObject(method) && typeof method.name === 'string' ? [method.name] : [],
  )
}

function* places(ours: unknown, theirs: unknown, pointer: string): Generator<string> {
  if (Object.is(ours, theirs)) return
  const isBoth = hasMembers(ours) && hasMembers(theirs)
  if (!isBoth || Array.isArray(ours) !== Array.isArray(theirs)) {
    const [own, other] = [ours, theirs].map(brief)
    yield `${pointer || '/'} is ${other}, not ${own}`
    return
  }
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    yield* places(own(ours, key), own(theirs, key), pointer + pointerStep(key))
  }
}

const brief = (value: unknown): string => (value === undefined ? 'absent' : quoted(jsonOf(value)))

const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
