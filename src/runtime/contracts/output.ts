import type { AbiParameter } from 'abitype'

/**
 * What a function returned, as abitype types it: the value of one output, a tuple of several, undefined of none. On the wire a
 * single tuple is listed member by member, and a single value may be alone. Throws an Error where it does not fit.
 */
export const outputOf = (outputs: readonly AbiParameter[], given: unknown): unknown => {
  const [only] = outputs
  if (given === undefined) throw new Error('a function that only reads was answered without output')
  if (only === undefined) return undefined
  if (outputs.length === 1) {
    if (only.type === 'tuple') return converted(only, given, 'output')
    return converted(only, Array.isArray(given) ? sole(given) : given, 'output')
  }
  return convertedAll(outputs, given, 'output')
}

const sole = (given: readonly unknown[]): unknown => {
  if (given.length !== 1) throw new Error(`output holds ${given.length} values, and the ABI 1`)
  return given[0]
}

const convertedAll = (
  parameters: readonly AbiParameter[],
  given: unknown,
  where: string,
): readonly unknown[] => {
  if (!Array.isArray(given) || given.length !== parameters.length)
    throw new Error(`${where} is not the ${parameters.length} values of the ABI`)
  return parameters.map((parameter, index) =>
    converted(parameter, given[index], `${where}/${index}`),
  )
}

const converted = (parameter: AbiParameter, given: unknown, where: string): unknown => {
  const { type } = parameter
  const [, item, size] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (item !== undefined) {
    if (!Array.isArray(given) || (size && given.length !== Number(size)))
      throw wrongType(where, type)
    return given.map((one, index) =>
      converted({ ...parameter, type: item }, one, `${where}/${index}`),
    )
  }
  if (type === 'tuple') return tupleOf(parameter, given, where)
  const [, bits] = /^u?int(\d*)$/.exec(type) ?? []
  if (bits !== undefined) return integerOf(type, Number(bits || 256), given, where)
  if (type === 'bool') {
    if (typeof given === 'boolean') return given
    if (given === 'true' || given === 'false') return given === 'true'
    throw wrongType(where, type)
  }
  if (typeof given !== 'string') throw wrongType(where, type)
  return given
}

/** An object where all members have names, an array otherwise. */
const tupleOf = (parameter: AbiParameter, given: unknown, where: string): unknown => {
  const components = 'components' in parameter ? parameter.components : []
  const names = components.map(({ name }) => name ?? '')
  const isNamed = names.every((name) => name !== '')
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  const members = isObject && isNamed ? names.map((name) => (given as Members)[name]) : given
  const values = convertedAll(components, members, where)
  return isNamed ? Object.fromEntries(names.map((name, index) => [name, values[index]])) : values
}

/** Up to 48 bits a number, as abitype has it. */
const integerOf = (type: string, bits: number, given: unknown, where: string): number | bigint => {
  const isInteger = typeof given === 'string' ? /^-?\d+$/.test(given) : Number.isSafeInteger(given)
  if (!isInteger) throw wrongType(where, type)
  return bits <= 48 ? Number(given) : BigInt(given as string | number)
}

const wrongType = (where: string, type: string): Error => new Error(`${where} is no ${type}`)

type Members = Readonly<Record<string, unknown>>
