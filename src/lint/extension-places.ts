import type { FindingDetails } from '../model/finding.js'
import { entriesOf, isObject } from '../model/json.js'
import { operationsIn } from '../model/path-item.js'
import type { LintRule, Survey, Written } from './survey.js'

/**
 * Rules for the places in which each of our extensions is read; it has no effect anywhere else. `x-not-shown`
 * and `x-assumption` may be anywhere. Extensions that other tools share (`x-stability-level`, `x-sunset`,
 * `x-name`) may have a meaning for them.
 */
export const EXTENSION_PLACE_RULES: readonly LintRule[] = [
  {
    id: 'extension-misplaced',
    level: 'warning',
    purpose: 'An extension in the wrong place is ignored, so it has no effect.',
    find: misplaced,
  },
]

type Place =
  | 'document'
  | 'OpenRPC document'
  | 'operation'
  | 'method'
  | 'parameter'
  | 'schema'
  | 'server'
  | 'server variable'
  | 'link'
  | 'example pairing'
  | 'media type'

const PLACES: Readonly<Record<string, readonly Place[]>> = {
  'x-variants': ['operation', 'method'],
  'x-poll': ['operation'],
  'x-stream-end': ['media type', 'operation'],
  'x-same-as': ['schema'],
  'x-secret': ['parameter', 'server variable'],
  'x-bigint': ['schema'],
  'x-access': ['operation', 'method'],
  'x-limits': ['document', 'OpenRPC document', 'operation', 'method'],
  'x-idempotent': ['operation', 'method'],
  'x-chain-id': ['server'],
  'x-native-currency': ['server'],
  'x-rpc-method': ['link'],
  'x-direction': ['method'],
  'x-subscription': ['method'],
  'x-cancel': ['OpenRPC document'],
  'x-progress': ['OpenRPC document'],
  'x-additional-params': ['method'],
  'x-error': ['example pairing'],
}

/** Whether the place of one of our extensions is a place where it is read. */
export const createIsRead = (
  written: readonly Written[],
): ((one: Written, name: string) => boolean) => {
  const known = placesIn(written)
  return (one, name) => {
    const allowed = allowedOf(name)
    const place = known.get(one.node) ?? placeOf(one)
    return allowed === undefined || (place !== undefined && allowed.includes(place))
  }
}

const allowedOf = (name: string): readonly Place[] | undefined =>
  Object.hasOwn(PLACES, name) ? PLACES[name] : undefined

function* misplaced({ written }: Survey): Generator<FindingDetails> {
  const isRead = createIsRead(written)
  for (const one of written) {
    const { node, kind, document } = one
    if (kind === 'map') continue
    for (const name of Object.keys(node)) {
      const allowed = allowedOf(name)
      if (!allowed || isRead(one, name)) continue
      // OpenRPC has methods in place of operations.
      const fit = allowed.filter((each) => (FOREIGN[document.kind] ?? []).every((x) => x !== each))
      yield {
        location: document.sourceOf(node).locate(name),
        message:
          fit.length === 0
            ? `${name} is not read in an ${document.kind === 'rpc' ? 'OpenRPC' : 'OpenAPI'} document: leave it out`
            : `${name} is not read here: put it into ${fit.map(withArticle).join(' or ')}`,
      }
    }
  }
}

const FOREIGN: Readonly<Record<'http' | 'rpc', readonly Place[]>> = {
  http: ['method', 'example pairing', 'OpenRPC document'],
  rpc: ['document', 'operation', 'parameter', 'link', 'media type'],
}

const withArticle = (place: Place): string =>
  place === 'document' || place === 'OpenRPC document'
    ? 'the top of the document'
    : `${/^[aeo]/.test(place) ? 'an' : 'a'} ${place}`

/** The places that are identified by their parent. */
function placesIn(written: readonly Written[]): ReadonlyMap<object, Place> {
  const found = new Map<object, Place>()
  for (const { node, document, section, kind } of written) {
    if (node === document.bundled)
      found.set(node, document.kind === 'rpc' ? 'OpenRPC document' : 'document')
    if (section === 'pathItems' && kind === 'object') {
      for (const { node: operation } of operationsIn(node)) found.set(operation, 'operation')
    }
    for (const server of Array.isArray(node.servers) ? node.servers.filter(isObject) : []) {
      found.set(server, 'server')
      for (const [, variable] of entriesOf(server.variables)) {
        if (isObject(variable)) found.set(variable, 'server variable')
      }
    }
  }
  return found
}

/** The place that is identified by its section of components. */
function placeOf({ node, section }: Written): Place | undefined {
  if (section === 'parameters') return 'in' in node ? 'parameter' : undefined
  return SECTIONS.get(section)
}

const SECTIONS: ReadonlyMap<string | undefined, Place> = new Map([
  ['methods', 'method'],
  ['schemas', 'schema'],
  ['links', 'link'],
  ['mediaTypes', 'media type'],
  ['examplePairingObjects', 'example pairing'],
])
