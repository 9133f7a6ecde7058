import { DocumentError, type Faults } from '../model/finding.js'
import { entriesOf, isObject } from '../model/json.js'
import { joinPointer } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { componentRef } from '../text/names.js'
import type { Origin } from './document.js'
import type { ReferenceTarget } from './references.js'

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
  readonly follow: (written: ReferenceTarget, ref: string) => ReferenceTarget
  /** The reference to the component that a target has in the bundle. */
  readonly homeOf: (target: ReferenceTarget, section: string) => string
  readonly report: Faults['report']
}

/** A mapping is a hint beside the branches, so one that leads nowhere is only a warning. */
function followed(
  written: ReferenceTarget,
  ref: string,
  { follow, report }: SchemaReferences,
): ReferenceTarget | undefined {
  try {
    return follow(written, ref)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    for (const finding of error.findings) report({ ...finding, level: 'warning' })
    return undefined
  }
}
