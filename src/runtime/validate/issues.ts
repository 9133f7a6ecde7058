import { segmentsOf } from '../shared/pointer.js'
import type { Fault, Validator } from './validator.js'

/** `path` has the names of properties as text and the indexes of lists as numbers. */
export type SchemaIssue = {
  readonly message: string
  readonly path: readonly (string | number)[]
}

/** The faults of a value as libraries of schemas report them; none for a valid value. Messages do not repeat the value. */
export const schemaIssuesOf = (validator: Validator, value: unknown): readonly SchemaIssue[] =>
  validator.explain(value, undefined, { hideValues: true }).map((fault) => issueOf(fault, value))

/** A missing property is an issue of that property, so that forms show it next to its field. */
const issueOf = ({ pointer, keyword, message, params }: Fault, value: unknown): SchemaIssue => {
  const isMissing = keyword === 'required' || keyword === 'dependentRequired'
  const keys = [...segmentsOf(pointer), ...(isMissing && params ? [params.property] : [])]
  let at = value
  const path = keys.map((key) => {
    const isIndex = Array.isArray(at)
    at = (at as Readonly<Record<string, unknown>> | null | undefined)?.[key]
    return isIndex ? Number(key) : key
  })
  return { message, path }
}
