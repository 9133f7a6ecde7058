import type { HttpOperation, Parameter } from '../operation.js'
import type { pointerOf } from '../shared/pointer.js'
import type { AnyInput, Problem } from './request.js'

/**
 * An input with the names of its headers as documented (RFC 9110, 5.1: they are case-insensitive), and the errors of the names
 * that are no parameter, or the same one as a name before them.
 */
export const readNames = (
  { parameters }: HttpOperation,
  input: AnyInput,
  places: readonly Parameter['in'][],
  pointer: typeof pointerOf,
): { readonly input: AnyInput; readonly undocumented: readonly Problem[] } => {
  const undocumented: Problem[] = []
  const named = places.map((place) => {
    const values: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(input[place] ?? {})) {
      const found = parameters.find((one) => one.in === place && isNamed(one, name))?.name
      if (found === undefined || Object.hasOwn(values, found)) {
        const message = 'is not documented'
        const fault = { pointer: pointer(place, name), keyword: 'additionalProperties', message }
        undocumented.push({ faults: [fault] })
      } else if (value !== undefined) values[found] = value
    }
    return [place, values] as const
  })
  return { input: { ...input, ...Object.fromEntries(named) }, undocumented }
}

const isNamed = ({ in: place, name }: Parameter, input: string): boolean =>
  name === input || (place === 'header' && name.toLowerCase() === input.toLowerCase())
