import type { RpcExample, RpcOperation } from '../../model/api.js'
import type { Case, Complaint, Session } from '../case.js'
import type { Exchange } from '../exchange.js'
import { ruleRows } from '../rule.js'
import { callText, postRpc } from '../write-rpc.js'
import { describeReply, type Reply, readReply } from './reply.js'
import { isReading, subjectOf } from './subject.js'

/** Params that go by the names of the documents. */
export const BY_NAME_RULES = ruleRows([
  {
    id: 'params-by-name-are-not-refused',
    level: 'error',
    purpose: 'A method that takes its params by position alone refuses them by name.',
    clause: 'OpenRPC, Method Object, paramStructure; JSON-RPC 2.0, 4.2',
    checks: ['J52'],
  },
  {
    id: 'params-by-name-are-read-otherwise',
    level: 'error',
    purpose: 'A method that takes its params by name as well answers the same either way.',
    clause: 'OpenRPC, Method Object, paramStructure; JSON-RPC 2.0, 4.2',
    checks: ['J52'],
  },
  {
    id: 'param-name-in-another-case-is-taken',
    level: 'error',
    purpose: 'The names of params match exactly, including case.',
    clause: 'JSON-RPC 2.0, 4.2',
    checks: ['J53'],
  },
  {
    id: 'missing-param-name-is-not-refused',
    level: 'error',
    purpose: 'Without a name that the method requires, params are invalid.',
    clause: 'JSON-RPC 2.0, 4.2; OpenRPC, Content Descriptor, required',
    checks: ['J53'],
  },
  {
    id: 'unknown-param-name-is-not-refused',
    level: 'warning',
    purpose: 'A name that the method does not know is refused.',
    clause: 'JSON-RPC 2.0, 4.2',
    checks: ['J53'],
  },
])

type ByNameRule = (typeof BY_NAME_RULES)[number]['id']

/** Of each paramStructure a few methods that only read: what reads params is the same code for all. */
export const byNameCases = (operations: readonly RpcOperation[]): readonly Case[] => {
  const good = operations.flatMap((operation) => {
    const example = operation.examples.find(isTelling)
    return isReading(operation) && example ? [{ operation, example }] : []
  })
  const of = (structure: RpcOperation['paramStructure']) =>
    good.filter(({ operation }) => operation.paramStructure === structure).slice(0, MOST)
  return [
    ...of('by-position').map(({ operation, example }) =>
      caseOf(operation, 'by name though by position', 2, (session) =>
        tryForbidden(session, operation, example),
      ),
    ),
    ...of('either').map(({ operation, example }) =>
      caseOf(operation, 'by name and by position', 3, (session) =>
        tryEither(session, operation, example),
      ),
    ),
    ...[...of('either'), ...of('by-name')].map(({ operation, example }) =>
      caseOf(operation, 'names that are not quite right', 4, (session) =>
        tryNames(session, operation, example),
      ),
    ),
  ]
}

const MOST = 3

const isTelling = ({ params, outcome }: RpcExample): boolean =>
  params.length > 0 && outcome.kind === 'result'

const caseOf = (operation: RpcOperation, what: string, cost: number, run: Case['run']): Case => ({
  name: `JSON-RPC, ${operation.method}, ${what}`,
  operation,
  cost,
  weight: 'protocol',
  run: async (session) => {
    const { isHopeless, why } = await subjectOf(session)
    if (!isHopeless) return run(session)
    session.skip(`JSON-RPC, ${operation.method}, ${what}`, why ?? '')
    return []
  },
})

const send = (session: Session, { method }: RpcOperation, params: unknown): Promise<Exchange> =>
  session.ask(postRpc(session.target, callText(method, params)))

const tryForbidden = async (
  session: Session,
  operation: RpcOperation,
  { params, namedParams }: RpcExample,
): Promise<readonly Complaint[]> => {
  // One that the server does not have refuses everything alike.
  if (!resultOf(await send(session, operation, params))) return untold(session, operation)
  const named = await send(session, operation, namedParams)
  return refusedOr(named, operation, 'params-by-name-are-not-refused', 'params by name')
}

const tryEither = async (
  session: Session,
  operation: RpcOperation,
  { params, namedParams }: RpcExample,
): Promise<readonly Complaint[]> => {
  const before = resultOf(await send(session, operation, params))
  if (!before) return untold(session, operation)
  const exchange = await send(session, operation, namedParams)
  const named = resultOf(exchange)
  const after = resultOf(await send(session, operation, params))
  // What changes by itself tells nothing but that there is a result.
  const isSteady = before.text === after?.text
  if (named && (!isSteady || named.text === before.text)) return []
  const rule = 'params-by-name-are-read-otherwise'
  const came = named ? 'another result than by position' : describeReply(readReply(exchange))
  const due = named ? cut(before.text) : 'a result, as by position'
  return [{ rule, message: `params by name brought ${came}`, due, exchange, operation }]
}

const tryNames = async (
  session: Session,
  operation: RpcOperation,
  { namedParams }: RpcExample,
): Promise<readonly Complaint[]> => {
  if (!resultOf(await send(session, operation, namedParams))) return untold(session, operation)
  const name = operation.params.find(
    (one) =>
      one.required && Object.hasOwn(namedParams, one.name) && otherCase(one.name) !== one.name,
  )?.name
  const extra = { ...namedParams, [unknownName(operation)]: 1 }
  const more = refusedOr(
    await send(session, operation, extra),
    operation,
    'unknown-param-name-is-not-refused',
    'params with an unknown name',
  )
  if (name === undefined) return more
  const { [name]: value, ...rest } = namedParams
  const cased = await send(session, operation, { ...rest, [otherCase(name)]: value })
  const short = await send(session, operation, rest)
  return [
    ...more,
    ...refusedOr(
      cased,
      operation,
      'param-name-in-another-case-is-taken',
      `the name ${otherCase(name)} for ${name}`,
    ),
    ...refusedOr(short, operation, 'missing-param-name-is-not-refused', `params without ${name}`),
  ]
}

const refusedOr = (
  exchange: Exchange,
  operation: RpcOperation,
  rule: ByNameRule,
  what: string,
): readonly Complaint[] => {
  const reply = readReply(exchange)
  if (isInvalidParams(reply)) return []
  const message = `${what} brought ${describeReply(reply)}`
  return [{ rule, message, due: 'one error object of code -32602', exchange, operation }]
}

const isInvalidParams = (reply: Reply): boolean =>
  reply.kind === 'one' && reply.answer.code === -32602

const resultOf = (exchange: Exchange): { readonly text: string } | undefined => {
  const reply = readReply(exchange)
  if (reply.kind !== 'one' || reply.answer.code !== undefined || !reply.answer.result)
    return undefined
  return { text: JSON.stringify(reply.answer.result.value) }
}

const untold = (session: Session, { method }: RpcOperation): readonly Complaint[] => {
  session.skip(`${method}, params by name`, 'its example gives no result here')
  return []
}

const otherCase = (name: string): string => {
  const first = name.charAt(0)
  const turned = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()
  return turned + name.slice(1)
}

const unknownName = ({ params }: RpcOperation): string => {
  let name = 'noSuchParam'
  while (params.some((one) => one.name === name)) name += '_'
  return name
}

const cut = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 200)}…`)
