import { JSONPathEnvironment, JSONPathError, type JSONValue, jsonpath } from 'json-p3'

/** Parses a JSONPath (RFC 9535). Throws JSONPathError, also when a query meets a regular expression that does not compile. */
export const compileJsonPath = (text: string) => ENVIRONMENT.compile(text)

/** The nodes that a JSONPath selects, each once, in order. Throws as `compileJsonPath`. */
export const selectNodes = (text: string, value: unknown): readonly JsonPathNode[] => {
  const nodes = [...compileJsonPath(text).query(value as JSONValue)]
  const places = new Map(nodes.map((node) => [JSON.stringify(node.location), node]))
  return [...places.values()].map(({ location, value }) => ({
    segments: location.map(String),
    value,
  }))
}

export type JsonPathNode = {
  /** Unescaped, from the top. */
  readonly segments: readonly string[]
  readonly value: unknown
}

export const isJsonPathError = (error: unknown): error is JSONPathError =>
  error instanceof JSONPathError

/** The depth of values is limited where documents and messages are read; the default of 50 is less than real documents have. */
const ENVIRONMENT = new JSONPathEnvironment({ maxRecursionDepth: 1000 })
// Without `throwErrors`, an invalid regular expression matches nothing, which would look like a mistake of the value.
ENVIRONMENT.functionRegister.set('match', new jsonpath.functions.Match({ throwErrors: true }))
ENVIRONMENT.functionRegister.set('search', new jsonpath.functions.Search({ throwErrors: true }))
