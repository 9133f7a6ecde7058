import { pascalCase } from './names.js'
import type { Origin } from './origin.js'
import { segmentsOf } from './pointer.js'

/** A name for a target that is no component: the last segment, with what it is in where that is a keyword. */
export function inlineName({ document, pointer }: Origin): string {
  const segments = segmentsOf(pointer).filter((segment) => !NOISE.has(segment))
  if (segments.length === 0) {
    const file = document.file.split(/[\\/]/).at(-1) ?? 'Schema'
    return pascalCase(file.replace(/\.[^.]*$/, ''))
  }
  const isPlain = segments.length === 1 || segmentsOf(pointer).length === 1
  return isPlain ? (segments.at(-1) ?? 'Schema') : pascalCase(segments.slice(-4).join(' '))
}

/** The name itself, or with the first number from 2 that makes it unique. */
export function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name
  for (let number = 2; ; number++) {
    if (!taken.has(`${name}${number}`)) return `${name}${number}`
  }
}

const NOISE = new Set(
  'components schemas schema properties items content application/json paths definitions $defs allOf oneOf anyOf'.split(
    ' ',
  ),
)
