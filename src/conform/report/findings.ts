import type { Api } from '../../model/api.js'
import type { Finding, Location } from '../../model/finding.js'
import type { Complaint } from '../case.js'
import type { Profile } from '../profile.js'
import { CONFORM_RULES } from '../rules.js'
import type { Seen } from '../session.js'
import type { Target } from '../target.js'
import type { Exchange } from '../wire/exchange.js'
import { keyHider, type Shown, shown } from './shown.js'

/** A finding about a live server: `location` is the line of a document that it breaks. */
export type ConformFinding = Finding & {
  /** The same in each run: what a baseline names it by. */
  readonly identity: string
  readonly clause: string
  readonly due: string
  readonly shown: Shown
  /** How often it was seen; the smallest request is shown. */
  readonly count: number
}

export const findingsOf = (
  api: Api,
  target: Target,
  profile: Profile | undefined,
  complaints: readonly Complaint[],
  { ways }: Pick<Seen, 'ways'>,
): readonly ConformFinding[] => {
  const groups = new Map<string, Complaint[]>()
  for (const complaint of [...complaints, ...choiceComplaints(profile, ways)]) {
    const identity = identityOf(complaint)
    const group = groups.get(identity)
    if (group) group.push(complaint)
    else groups.set(identity, [complaint])
  }
  return [...groups].map(([identity, group]) => finding(api, target, identity, group))
}

/** `id-is-not-echoed eth_getBalance`, or with what tells it apart: `… GET /orders 404`. */
const identityOf = ({ rule, operation, aspect }: Complaint): string =>
  [rule, nameOf(operation), aspect].filter((part) => part !== undefined).join(' ')

/** What people call it: `GET /orders`, `eth_call`. */
export const nameOf = (operation: Complaint['operation']): string | undefined => {
  if (!operation) return undefined
  return operation.kind === 'rpc' ? operation.method : `${operation.method} ${operation.path}`
}

const finding = (
  api: Api,
  target: Target,
  identity: string,
  group: readonly Complaint[],
): ConformFinding => {
  const [smallest] = group.toSorted((a, b) => weightOf(a.exchange) - weightOf(b.exchange))
  const { rule, message, due, exchange, operation, source } = smallest as Complaint
  const row = CONFORM_RULES.find(({ id }) => id === rule)
  if (!row) throw new Error(`there is no rule ${rule}`)
  const name = nameOf(operation)
  const hidden = keyHider(target.secrets)
  return {
    rule,
    level: row.level,
    location: (source ?? operation?.source)?.locate() ?? placeOf(api, exchange, target),
    message: hidden(name === undefined ? message : `${name}: ${message}`),
    ...(name === undefined ? {} : { operations: [name] }),
    identity: hidden(identity),
    clause: row.clause,
    due: hidden(due),
    shown: shown(exchange, target),
    count: group.length,
  }
}

const weightOf = ({ sent, answer }: Exchange): number =>
  (sent.body?.length ?? 0) + sent.url.length + (answer?.body.length ?? 0) / 1_000

/** The document of the protocol that was spoken. */
const placeOf = (api: Api, { sent }: Exchange, { rpc }: Target): Location => {
  const document = rpc !== undefined && sent.url.startsWith(rpc) ? api.rpc : api.http
  const source = (document ?? api.rpc ?? api.http)?.source
  return source?.locate() ?? { file: '', line: 1, column: 1, pointer: '' }
}

function* choiceComplaints(profile: Profile | undefined, ways: Seen['ways']): Generator<Complaint> {
  for (const [choice, seen] of ways) {
    const [first] = seen
    if (!first) continue
    const other = seen.find(({ way }) => way !== first.way)
    if (other) {
      yield {
        rule: 'choice-is-not-kept',
        message: `${choice} is ${first.way} once and ${other.way} another time`,
        due: `${first.way} each time`,
        exchange: other.exchange,
        aspect: choice,
      }
    }
    const allowed = profile?.ways[choice]
    const foreign = allowed && seen.find(({ way }) => !allowed.includes(way))
    if (!foreign) continue
    yield {
      rule: 'choice-is-not-of-the-profile',
      message: `${choice} is ${foreign.way}, and ${profile?.name} has it ${allowed?.join(' or ')}`,
      due: allowed?.join(' or ') ?? '',
      exchange: foreign.exchange,
      aspect: choice,
    }
  }
}
