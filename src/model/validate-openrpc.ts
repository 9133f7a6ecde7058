import { validateOpenRPCDocument } from '@open-rpc/schema-utils-js'
import type { JsonObject } from './api.js'
import { type Bundle, locate } from './bundle.js'
import type { Document } from './document.js'
import { DocumentError } from './finding.js'
import { isObject } from './json.js'

/**
 * Validates an OpenRPC document against its meta-schema by @open-rpc/schema-utils-js.
 * It gets a copy, since it writes into what it is given.
 */
export async function validateOpenRpc(document: Document, bundled: Bundle): Promise<void> {
  const verdict = validateOpenRPCDocument(
    structuredClone(bundled.value) as Parameters<typeof validateOpenRPCDocument>[0],
  )
  if (verdict === true) return
  const fault = deepest(faultsIn(verdict.message))
  const { node, rest } = nearest(bundled.value, fault ? segmentsTo(fault) : [])
  const surplus = fault?.params?.additionalProperty
  const detail = surplus === undefined ? '' : `: ${surplus}`
  const values = fault?.params?.allowedValues
  const allowed = Array.isArray(values) ? `: ${values.join(', ')}` : ''
  throw new DocumentError({
    rule: 'openrpc-document-is-invalid',
    level: 'error',
    location: fault ? locate(bundled.originOf(node), ...rest) : document.locate(''),
    message: `${(fault && segmentsTo({ dataPath: fault.dataPath ?? '' }).at(-1)) ?? 'the document'} is not what OpenRPC foresees here: it ${fault?.message ?? 'is no OpenRPC document'}${detail}${allowed}`,
  })
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
