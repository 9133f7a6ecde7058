import { validateOpenRPCDocument } from '@open-rpc/schema-utils-js'
import type { JsonObject } from './api.js'
import { type Bundle, isObject, locate } from './bundle.js'
import type { Document } from './document.js'
import { DocumentError } from './finding.js'
import { segmentsOf } from './pointer.js'

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
  const { node, rest } = nearest(bundled.value, fault?.instancePath ?? fault?.dataPath ?? '')
  const { keyword, params, message } = fault ?? {}
  const detail = keyword === 'additionalProperties' ? `: ${JSON.stringify(params)}` : ''
  throw new DocumentError({
    rule: 'openrpc-document-is-invalid',
    level: 'error',
    location: fault ? locate(bundled.originOf(node), ...rest) : document.locate(''),
    message: `the meta-schema of OpenRPC refuses this: ${message ?? 'it is no OpenRPC document'}${detail}`,
  })
}

type Fault = {
  readonly keyword?: string
  readonly instancePath?: string
  readonly dataPath?: string
  readonly params?: unknown
  readonly message?: string
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
  const depth = (fault: Fault) => (fault.instancePath ?? fault.dataPath ?? '').split('/').length
  return faults.reduce<Fault | undefined>(
    (best, fault) => (best && depth(best) >= depth(fault) ? best : fault),
    undefined,
  )
}

function nearest(value: JsonObject, pointer: string) {
  let node: object = value
  const rest: string[] = []
  for (const segment of segmentsOf(pointer.startsWith('/') ? pointer : '')) {
    const next = (node as JsonObject)[segment]
    if (rest.length === 0 && (isObject(next) || Array.isArray(next))) node = next
    else rest.push(segment)
  }
  return { node, rest }
}
