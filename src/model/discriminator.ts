import { joinPointer } from '../runtime/shared/pointer.js'
import type { JsonObject } from './api.js'
import type { Origin } from './document.js'
import { DocumentError, type Faults } from './finding.js'
import { entriesOf, isObject } from './json.js'
import { componentRef } from './names.js'
import type { Target } from './references.js'

/** A discriminator whose mapping names components or refers to schemas: all become references to components. */
export function bundledDiscriminator(
  value: JsonObject,
  origin: Origin,
  references: SchemaReferences,
): JsonObject {
  const targetOf = (target: unknown, ...path: readonly string[]) => {
    const ref = String(target)
    if (!/[#/]|\.(ya?ml|json)$/.test(ref)) return componentRef('schemas', ref)
    const pointer = joinPointer(origin.pointer, ...path)
    const found = followed({ ...origin, pointer, value: target }, ref, references)
    return !found ? ref : references.homeOf(found, 'schemas')
  }
  const mapping = entriesOf(value.mapping).map(([name, target]) => [
    name,
    targetOf(target, 'mapping', name),
  ])
  const { defaultMapping } = value
  return {
    ...value,
    ...(isObject(value.mapping) && { mapping: Object.fromEntries(mapping) }),
    ...(typeof defaultMapping === 'string' && {
      defaultMapping: targetOf(defaultMapping, 'defaultMapping'),
    }),
  }
}

type SchemaReferences = {
  readonly follow: (written: Target, ref: string) => Target
  /** The reference to the component that a target has in the bundle. */
  readonly homeOf: (target: Target, section: string) => string
  readonly report: Faults['report']
}

/** A mapping is a hint beside the branches, so one that leads nowhere is only a warning. */
function followed(
  written: Target,
  ref: string,
  { follow, report }: SchemaReferences,
): Target | undefined {
  try {
    return follow(written, ref)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    for (const finding of error.findings) report({ ...finding, level: 'warning' })
    return undefined
  }
}
