import { resolve } from 'node:path'
import type { JsonObject } from './api.js'
import type { Document } from './document.js'
import type { Location } from './finding.js'
import { joinPointer, segmentsOf } from './pointer.js'

/** A place in a document. */
export type Origin = { readonly document: Document; readonly pointer: string }

/** The place of an origin, or of a member of it. */
export const locate = (origin: Origin, ...members: readonly (string | number)[]): Location =>
  origin.document.locate(joinPointer(origin.pointer, ...members.map(String)))

export const child = (origin: Origin, key: string): Origin => ({
  document: origin.document,
  pointer: joinPointer(origin.pointer, key),
})

/** As a text, by which two origins are the same place. */
export const keyOf = ({ document, pointer }: Origin): string => {
  const path = paths.get(document) ?? resolve(pathOf(document))
  paths.set(document, path)
  return `${path}#${pointer}`
}

const paths = new WeakMap<Document, string>()

/** Where a document lies, whatever it is called. */
export const pathOf = ({ path, file }: Document) => path ?? file

/** What is there; undefined where nothing does. */
export function valueAt({ document, pointer }: Origin): unknown {
  let value: unknown = document.value
  for (const segment of segmentsOf(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) {
      return undefined
    }
    value = (value as JsonObject)[segment]
  }
  return value
}
