import type { Leftover } from '../model/api.js'
import { entriesOf, isObject } from '../model/json.js'
import { joinPointer, segmentsOf } from '../runtime/shared/pointer.js'
import type { Bundle } from './bundle.js'
import type { Document } from './document.js'

/**
 * Schemas, path items and methods that no reference reaches, in the files to which bundles refer. A file that is a complete
 * document may serve other documents and is skipped.
 */
export function unusedComponentsOf(bundles: readonly Bundle[]): readonly Leftover[] {
  const entries = new Set(bundles.map(({ value, originOf }) => originOf(value).document))
  const files = new Map<Document, Set<string>>()
  for (const origin of bundles.flatMap(({ reached }) => reached)) {
    const { document } = origin
    if (entries.has(document)) continue
    const used = files.get(document) ?? new Set<string>()
    files.set(document, used)
    let pointer = ''
    if (origin.pointer === '') used.add('')
    for (const segment of segmentsOf(origin.pointer)) {
      pointer = joinPointer(pointer, segment)
      used.add(pointer)
    }
  }
  return [...files].flatMap(([document, used]) => {
    const isWhole = used.has('') || isDocument(document.value)
    return isWhole ? [] : unreached(document.value, '', document, used)
  })
}

function unreached(
  value: unknown,
  pointer: string,
  document: Document,
  used: ReadonlySet<string>,
): readonly Leftover[] {
  return entriesOf(value).flatMap(([name, member]) => {
    const place = joinPointer(pointer, name)
    if (!isObject(member) || name.startsWith('x-')) return []
    if (CONTAINERS.has(name)) return unreached(member, place, document, used)
    if (used.has(place)) return []
    const source = {
      locate: (...members: readonly (string | number)[]) =>
        document.locate(joinPointer(place, ...members), members.length === 0 ? 'key' : 'value'),
    }
    return [{ name, source }]
  })
}

const CONTAINERS = new Set(
  `components schemas definitions $defs responses parameters examples requestBodies headers
  securitySchemes links pathItems mediaTypes methods contentDescriptors errors examplePairings tags`.split(
    /\s+/,
  ),
)

const isDocument = (value: unknown) =>
  isObject(value) && ['openapi', 'openrpc', 'swagger', 'asyncapi'].some((key) => key in value)
