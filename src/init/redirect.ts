import { dirname, posix, resolve } from 'node:path'
import type { Document } from '../model/document.js'
import { isObject } from '../model/json.js'
import { joinPointer } from '../model/pointer.js'

/** The file that a document was read from, absolute. */
export const pathOf = ({ path, file }: Document): string => resolve(path ?? file)

/** The text of a document at its new place: references to files that lie elsewhere from there are changed, and nothing else. */
export const redirected = (
  document: Document,
  text: string,
  places: ReadonlyMap<string, string>,
): string => {
  const source = pathOf(document)
  const place = places.get(source) ?? ''
  const edits = [...referencesIn(document.value, '')].flatMap(
    ({ ref, pointer }): readonly Edit[] => {
      const [file = '', ...fragment] = ref.split('#')
      const target = file === '' ? undefined : places.get(resolve(dirname(source), decoded(file)))
      if (target === undefined) return []
      if (posix.join(posix.dirname(place), decoded(file)) === target) return []
      const { line, column } = document.locate(pointer)
      return [{ line, column, next: [pathTo(place, target), ...fragment].join('#'), ref }]
    },
  )
  return edited(text, edits)
}

type Edit = {
  readonly line: number
  readonly column: number
  readonly ref: string
  readonly next: string
}

/** Every reference, and every text of a discriminator's mapping, which may be one. */
function* referencesIn(
  value: unknown,
  pointer: string,
): Generator<{ readonly ref: string; readonly pointer: string }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* referencesIn(item, joinPointer(pointer, index))
    }
  }
  if (!isObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    const here = joinPointer(pointer, key)
    if (typeof member !== 'string') yield* referencesIn(member, here)
    else if (key === '$ref' || /\/discriminator\/mapping$/.test(pointer)) {
      yield { ref: member, pointer: here }
    }
  }
}

/** A dot first, so that it is a plain text in YAML, whatever follows. */
const pathTo = (place: string, target: string): string => {
  const path = posix.relative(posix.dirname(place), target)
  return encodeURI(path.startsWith('.') ? path : `./${path}`)
}

/** A text that is not there letter for letter, as one with escapes, is left: the user checks whether all came right. */
const edited = (text: string, edits: readonly Edit[]): string => {
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const lines = text.slice(mark).split('\n')
  const byPlace = [...edits].sort((a, b) => b.line - a.line || b.column - a.column)
  for (const { line, column, ref, next } of byPlace) {
    const found = lines[line - 1] ?? ''
    const start = column - 1 + (/^['"]/.test(found.slice(column - 1)) ? 1 : 0)
    if (!found.startsWith(ref, start)) continue
    lines[line - 1] = found.slice(0, start) + next + found.slice(start + ref.length)
  }
  return text.slice(0, mark) + lines.join('\n')
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
