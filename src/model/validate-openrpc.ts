import { validateOpenRPCDocument } from '@open-rpc/schema-utils-js'
import type { JsonObject } from './api.js'
import type { Bundle } from './bundle.js'
import { type Memory, noCache } from './cache.js'
import { shapeOf } from './cache-key.js'
import type { Document } from './document.js'
import { withoutEmptyChoices } from './empty-choices.js'
import type { Finding } from './finding.js'
import { isObject } from './json.js'
import { locate } from './origin.js'

/**
 * Validates an OpenRPC document against its meta-schema by @open-rpc/schema-utils-js, which gives up
 * at the first fault: what has one is taken out of a copy, and what is left is asked about again.
 */
export function* validateOpenRpc(
  document: Document,
  bundled: Bundle,
  remember: Memory = noCache,
): Generator<Finding> {
  // An empty list of choices is a warning of its own; the meta-schema would end here with it.
  const value = withoutEmptyChoices(bundled.value)
  const first = remember(
    'verdict of OpenRPC',
    () => shapeOf(bundled.value),
    () => faultOf(value),
  )
  if (!first) return
  const copy: Record<string, unknown> = structuredClone(value)
  for (let round = 0; round < MOST_FAULTS; round++) {
    const verdict = round === 0 ? first : faultOf(copy)
    if (!verdict) return
    yield told(verdict.fault, document, bundled)
    if (!verdict.fault || !takenOut(copy, segmentsTo(verdict.fault))) return
  }
}

/** Whoever mends as many asks again. */
const MOST_FAULTS = 20

/** It gets a copy, since it writes into what it is given. */
function faultOf(value: JsonObject): { readonly fault: Fault | undefined } | undefined {
  const verdict = validateOpenRPCDocument(
    structuredClone(value) as Parameters<typeof validateOpenRPCDocument>[0],
  )
  return verdict === true ? undefined : { fault: deepest(faultsIn(verdict.message)) }
}

/**
 * Puts something right in place of the smallest part that a document can be without, so that positions
 * stay what they were; false where that mends nothing.
 */
function takenOut(copy: Record<string, unknown>, segments: readonly string[]): boolean {
  const [top, name = '', member = ''] = segments
  const { methods, components } = copy
  if (top === undefined) {
    const lacking = Object.keys(NEEDED).filter((field) => !(field in copy))
    for (const field of lacking) copy[field] = NEEDED[field]
    return lacking.length > 0
  }
  if (top === 'methods' && Array.isArray(methods) && name in methods) {
    methods[Number(name)] = {
      name: `method ${name}`,
      params: [],
      result: { name: 'result', schema: {} },
    }
    return true
  }
  const section = isObject(components) ? components[name] : undefined
  if (top === 'components' && isObject(section) && member in section) {
    return Reflect.deleteProperty(section, member)
  }
  if (!(top in copy) || top === 'openrpc') return false
  if (top in NEEDED) copy[top] = NEEDED[top]
  return top in NEEDED || Reflect.deleteProperty(copy, top)
}

const NEEDED: JsonObject = { info: { title: '', version: '' }, methods: [] }

function told(fault: Fault | undefined, document: Document, bundled: Bundle): Finding {
  const { node, rest } = nearest(bundled.value, fault ? segmentsTo(fault) : [])
  const surplus = fault?.params?.additionalProperty
  const detail = surplus === undefined ? '' : `: ${surplus}`
  const values = fault?.params?.allowedValues
  const allowed = Array.isArray(values) ? `: ${values.join(', ')}` : ''
  return {
    rule: 'openrpc-document-is-invalid',
    level: 'error',
    location: fault ? locate(bundled.originOf(node), ...rest) : document.locate(''),
    message: `${nameOf(fault)} is not what OpenRPC foresees here: it ${fault?.message ?? 'is no OpenRPC document'}${detail}${allowed}`,
  }
}

/** An item is known by its list. */
function nameOf(fault: Fault | undefined): string {
  const [last, list] = segmentsTo({ dataPath: fault?.dataPath ?? '' }).toReversed()
  if (last === undefined) return 'the document'
  return list !== undefined && /^\d+$/.test(last) ? `${list}[${last}]` : last
}

/** Of ajv 6: `dataPath` is written as JavaScript would, `.methods[0]['x-y']`. */
type Fault = {
  readonly dataPath?: string
  readonly params?: { readonly additionalProperty?: string; readonly allowedValues?: unknown }
  readonly message?: string
}

const segmentsTo = ({ dataPath = '', params }: Fault): readonly string[] => {
  const path = dataPath.matchAll(/\.([\w$]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]/g)
  const segments = [...path].map(
    ([, name, index, quoted]) => name ?? index ?? quoted?.replace(/\\(.)/g, '$1') ?? '',
  )
  return [
    ...segments,
    ...(params?.additionalProperty !== undefined ? [params.additionalProperty] : []),
  ]
}

/** The library puts ajv's list into its message, behind a sentence. */
function faultsIn(message: string): readonly Fault[] {
  const start = message.indexOf('[')
  try {
    return start < 0 ? [] : (JSON.parse(message.slice(start)) as readonly Fault[])
  } catch {
    return []
  }
}

/** A union reports the faults of all its branches; the one deepest in the document says most. */
function deepest(faults: readonly Fault[]): Fault | undefined {
  const depth = ({ dataPath = '' }: Fault) => segmentsTo({ dataPath }).length
  return faults.reduce<Fault | undefined>(
    (best, fault) => (best && depth(best) >= depth(fault) ? best : fault),
    undefined,
  )
}

function nearest(value: JsonObject, segments: readonly string[]) {
  let node: object = value
  const rest: string[] = []
  for (const segment of segments) {
    const next = (node as JsonObject)[segment]
    if (rest.length === 0 && (isObject(next) || Array.isArray(next))) node = next
    else rest.push(segment)
  }
  return { node, rest }
}
