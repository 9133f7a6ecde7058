import { pascalCase } from './names.js'
import type { Origin } from './origin.js'
import { segmentsOf } from './pointer.js'

/** A name for a target that is no component: the last segment, with what it stands in where that is a keyword. */
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
  'components schemas schema properties items content application/json paths definitions $defs allOf oneOf anyOf'.split(
    ' ',
  ),
)
