import { segmentsOf } from '../runtime/shared/pointer.js'
import { pascalCase } from '../text/names.js'
import type { Origin } from './document.js'

/** A name for a target that is not a component: the last segments of its pointer that are not keywords such as `schema`. */
export function inlineName({ document, pointer }: Origin): string {
  const segments = segmentsOf(pointer).filter((segment) => !NOISE.has(segment))
  if (segments.length === 0) {
    const file = document.file.split(/[\\/]/).at(-1) ?? 'Schema'
    return pascalCase(file.replace(/\.[^.]*$/, ''))
  }
  const isPlain = segments.length === 1 || segmentsOf(pointer).length === 1
  return isPlain ? (segments.at(-1) ?? 'Schema') : pascalCase(segments.slice(-4).join(' '))
}

const NOISE = new Set(
  `components schemas schema properties items content application/json paths definitions $defs allOf
  oneOf anyOf securitySchemes`.split(/\s+/),
)
