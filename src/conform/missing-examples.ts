import type { Operation } from '../model/api.js'
import { MADE_UP } from './values/bodies.js'

/** Which examples to add to an operation, after a message; empty where none is missing. */
export const adviceOnExamples = (operation: Operation): string => {
  const missing = missingExamples(operation)
  return missing.length === 0 ? '' : `: add an example of ${missing.join(' and ')}`
}

/**
 * What a request of an operation needs and its document has no example of, with its place:
 * `the body (spec/api.yaml:12)`.
 */
const missingExamples = (operation: Operation): readonly string[] => {
  const at = (...members: readonly (string | number)[]): string => {
    const { file, line } = operation.source.locate(...members)
    return `(${file}:${line})`
  }
  if (operation.kind === 'rpc') {
    const needsParams = operation.params.some(({ required }) => required)
    return needsParams && operation.examples.length === 0 ? [`its params ${at()}`] : []
  }
  const { body, parameters, variants } = operation
  const isShown =
    variants.length > 0 ||
    body?.content.some(({ examples }) => examples.some(({ name }) => name !== MADE_UP)) === true
  return [
    ...(body?.required && !isShown ? [`its body ${at('requestBody')}`] : []),
    ...parameters
      .filter(({ required, secret, examples }) => required && !secret && examples.length === 0)
      .map(({ name }) => `its parameter ${name} ${at('parameters')}`),
  ]
}
