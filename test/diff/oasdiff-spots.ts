import {
  holding,
  http,
  type Pair,
  rpc,
  withAnswer,
  withBody,
  withHeader,
  withParam,
  withParameter,
  withResult,
} from './oasdiff-pair.js'
import type { Texts } from './versions.js'

/** What oasdiff calls the places where a schema may stand, and documents with one there. */
const SPOTS: readonly Spot[] = [
  {
    id: 'request-parameter',
    HTTP: (schema) => http(withParameter({ schema })),
    'JSON-RPC': (schema) => rpc(withParam({ schema })),
  },
  {
    id: 'request-parameter-property',
    HTTP: (schema) => http(withParameter({ schema: holding(schema) })),
    'JSON-RPC': (schema) => rpc(withParam({ schema: holding(schema) })),
  },
  {
    id: 'request-header-property',
    HTTP: (schema) => http(withParameter({ in: 'header', schema: holding(schema) })),
  },
  {
    id: 'request-body',
    HTTP: (schema) => http(withBody(schema)),
    'JSON-RPC': (schema) => rpc(withParam({ required: true, schema })),
  },
  {
    id: 'request-property',
    HTTP: (schema) => http(withBody(holding(schema))),
    'JSON-RPC': (schema) => rpc(withParam({ required: true, schema: holding(schema) })),
  },
  {
    id: 'response-body',
    HTTP: (schema) => http(withAnswer(schema)),
    'JSON-RPC': (schema) => rpc(withResult(schema)),
  },
  {
    id: 'response-property',
    HTTP: (schema) => http(withAnswer(holding(schema))),
    'JSON-RPC': (schema) => rpc(withResult(holding(schema))),
  },
  { id: 'response-header', HTTP: (schema) => http(withHeader({ schema })) },
]

type Spot = {
  readonly id: `${'request' | 'response'}-${string}`
} & { readonly [protocol in Pair['protocol']]?: (schema: unknown) => Texts }

/**
 * A change of a schema and the way back: the one narrows and breaks where callers send it, the other widens and breaks where
 * readers get it. A side of it without a name is none of oasdiff's.
 */
export type SchemaChange = {
  /** As oasdiff calls it after the place: `max-decreased`. */
  readonly narrowed?: string
  readonly widened?: string
  readonly wide: unknown
  readonly narrow: unknown
  /** All that is found, after its direction: `error minimum-raised`. */
  readonly request?: readonly string[]
  readonly response?: readonly string[]
  /** The same for a parameter or a header of HTTP, which is a text whatever its type: only where it differs. */
  readonly text?: Pick<SchemaChange, 'request' | 'response'>
}

/** The change at every place of its direction, in every protocol that has the place. */
export const everywhere = (changes: readonly SchemaChange[]): readonly Pair[] =>
  changes.flatMap((change) => SPOTS.flatMap((spot) => PROTOCOLS.flatMap(pairAt(spot, change))))

const PROTOCOLS = ['HTTP', 'JSON-RPC'] as const

const pairAt =
  (spot: Spot, { narrowed, widened, wide, narrow, request, response, text }: SchemaChange) =>
  (protocol: Pair['protocol']): readonly Pair[] => {
    const isRequest = spot.id.startsWith('request-')
    const isText = protocol === 'HTTP' && /header|parameter/.test(spot.id)
    const [name, json] = isRequest ? [narrowed, request] : [widened, response]
    const found = (isText ? text?.[isRequest ? 'request' : 'response'] : undefined) ?? json
    const document = spot[protocol]
    if (name === undefined || found === undefined || document === undefined) return []
    const [before, after] = isRequest ? [wide, narrow] : [narrow, wide]
    const finds = found.map((one) => one.replace(' ', isRequest ? ' request-' : ' response-'))
    const pair = { protocol, before: document(before), after: document(after), finds }
    return [{ id: `${spot.id}-${name}`, ...pair }]
  }
