import {
  type AbiFunction,
  type AbiParameter,
  type AbiParametersToPrimitiveTypes,
  type ParseAbi,
  parseAbi,
} from 'abitype'
import { CallError } from './errors.js'
import type { ReadonlyInput } from './http/input.js'
import type { CallOptions, HttpService } from './http.js'
import type { ContractFields } from './operation.js'

/**
 * The operations of a client that have a variant with `x-contract-call`, typed by the ABI lines of the call. Arguments are sent
 * as JSON; the output of a `view` or `pure` function is converted to its ABI types. Rejects like the operation, and with a
 * CallError if the call or its output does not match the ABI.
 */
export const createContractCalls = <Calls>(
  { operations }: Pick<HttpService, 'operations'>,
  client: object,
  ids: readonly (keyof Calls & string)[],
): Calls => {
  const calls = ids.map((id) => {
    const variants = operations[id]?.variants ?? []
    const fields = variants.find(({ contractCall }) => contractCall !== undefined)?.contractCall
    const operation = (client as Readonly<Record<string, Operation | undefined>>)[id]
    if (fields === undefined || operation === undefined)
      throw new TypeError(`${id} has no contract call, or the client does not have ${id}`)
    const call = async (input: Input, options?: object) => {
      const { body } = input
      const value = body[fields.arguments]
      const args = Array.isArray(value) ? value : []
      const called = rejecting(id, 'invalid-input', () =>
        functionOf(body[fields.abi], body[fields.method], args.length),
      )
      const sent = rejecting(id, 'invalid-input', () => args.map(wireValue))
      const answer = await operation(
        { ...input, body: { ...body, [fields.arguments]: sent } },
        options,
      )
      if (!isRead(called)) return answer
      const output = rejecting(id, 'invalid-answer', () =>
        outputOf(called.outputs, answer[fields.output]),
      )
      return { ...answer, [fields.output]: output }
    }
    return [id, call] as const
  })
  // Generated code declares the types of inputs and results.
  return Object.fromEntries(calls) as Calls
}

type Input = { readonly body: Readonly<Record<string, unknown>> }
type Operation = (input: Input, options?: object) => Promise<Readonly<Record<string, unknown>>>

/** Reports an ABI error like a value that does not match the document. */
const rejecting = <T>(
  operation: string,
  reason: 'invalid-input' | 'invalid-answer',
  work: () => T,
): T => {
  try {
    return work()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new CallError({ reason, operation, message: `${operation}: ${message}` }, { cause })
  }
}

/** Finds the function with the name and the number of arguments. Throws an Error for none, or more than one. */
const functionOf = (abi: unknown, name: unknown, count: number): AbiFunction => {
  const lines = Array.isArray(abi) ? abi.map((line) => withoutTuple(String(line).trim())) : []
  const named = (parseAbi as (lines: readonly string[]) => readonly AbiItem[])(lines).filter(
    (item): item is AbiFunction => item.type === 'function' && item.name === name,
  )
  if (named.length === 0) throw new Error(`the ABI has no function ${String(name)}`)
  const fitting = named.filter(({ inputs }) => inputs.length === count)
  const [only, another] = fitting
  if (only === undefined) throw new Error(`no ${String(name)} of the ABI takes ${count} arguments`)
  if (another !== undefined)
    throw new Error(
      `the ABI has ${fitting.length} functions ${String(name)} of ${count} arguments: remove all but one`,
    )
  return only
}

const isRead = ({ stateMutability }: AbiFunction): boolean =>
  stateMutability === 'view' || stateMutability === 'pure'

type AbiItem =
  | AbiFunction
  | { readonly type: 'event' | 'error' | 'constructor' | 'fallback' | 'receive' }

/** Removes the `tuple` of `tuple(…)`: ethers writes it, and the grammar of abitype does not accept it. */
const withoutTuple = (line: string): string =>
  line.replace(/(?<=[ (,])(?<!^function )tuple(?=\()/g, '')

/**
 * An argument as lossless JSON: bigints are decimal strings. Throws an Error for an integer that a number cannot represent
 * exactly.
 */
const wireValue = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error(`${value} is not an integer that a number represents exactly: pass a bigint`)
  if (Array.isArray(value)) return value.map(wireValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wireValue(member)]))
}

/** An operation that calls a contract, typed by the ABI lines of each call. */
export type ContractCall<Operation, Variant extends VariantType, Fields extends ContractFields> = <
  const Lines extends readonly string[],
  const Name extends FunctionOf<Lines>['name'],
>(
  input: InputOf<Operation> & {
    readonly body: Body<Variant['input']['body'], Fields, Lines, Name>
  },
  options?: CallOptions,
) => Promise<Answer<Variant['result'], Fields['output'], Called<Lines, Name>>>

type VariantType = { readonly input: { readonly body: object }; readonly result: unknown }

/** The input of a call without its body. */
type InputOf<Operation> = Operation extends (input: infer Input, ...rest: never) => unknown
  ? Omit<Input, 'body'>
  : never

type Body<Request, Fields extends ContractFields, Lines, Name extends string> = Omit<
  ReadonlyInput<Request>,
  Fields['abi' | 'method' | 'arguments']
> & { readonly [Key in Fields['abi']]: Lines } & {
  readonly [Key in Fields['method']]: Name
} & { readonly [Key in Fields['arguments']]: Arguments<Called<Lines, Name>> }

/** The functions of human-readable ABI lines; `tuple(…)` is read as `(…)`. */
type FunctionOf<Lines> = Lines extends readonly string[]
  ? Extract<
      ParseAbi<{ readonly [Index in keyof Lines]: WithoutTuple<Lines[Index] & string> }>[number],
      AbiFunction
    >
  : never

type Called<Lines, Name extends string> = Extract<FunctionOf<Lines>, { readonly name: Name }>

type WithoutTuple<Line extends string> = Line extends `function tuple(${string}`
  ? Line
  : Line extends `${infer Head} tuple(${infer Tail}`
    ? WithoutTuple<`${Head} (${Tail}`>
    : Line extends `${infer Head}(tuple(${infer Tail}`
      ? WithoutTuple<`${Head}((${Tail}`>
      : Line extends `${infer Head},tuple(${infer Tail}`
        ? WithoutTuple<`${Head},(${Tail}`>
        : Line

/** Distributes over overloaded functions: the arguments of any of them. */
type Arguments<F extends AbiFunction> = F extends AbiFunction
  ? number extends F['inputs']['length']
    ? readonly unknown[]
    : ArgumentTypes<AbiParametersToPrimitiveTypes<F['inputs'], 'inputs'>>
  : never

/** An integer may be a bigint, a number or a decimal text. */
type ArgumentTypes<T> = unknown extends T
  ? 'the ABI has a type here that Solidity does not have'
  : T extends bigint | number
    ? bigint | number | `${bigint}`
    : T extends object
      ? { readonly [Key in keyof T]: ArgumentTypes<T[Key]> }
      : T

/** The response to a `view` or `pure` function contains its output; to any other, it is one of the responses without output. */
type Answer<Answers, Output extends string, F extends AbiFunction> = [
  F['stateMutability'],
] extends ['view' | 'pure']
  ? Read<Answers, Output, Returned<AbiParametersToPrimitiveTypes<F['outputs'], 'outputs'>>>
  : [F['stateMutability']] extends ['payable' | 'nonpayable']
    ? Exclude<Answers, Holding<Output>>
    : Answers

type Read<Answers, Output extends string, Value> =
  Extract<Answers, Holding<Output>> extends infer One
    ? One extends unknown
      ? { [Key in keyof One]: Key extends Output ? Value : One[Key] }
      : never
    : never

type Holding<Output extends string> = { readonly [Key in Output]: unknown }

type Returned<Values> = Values extends readonly []
  ? undefined
  : Values extends readonly [infer Only]
    ? Only
    : Values

/**
 * The output of a function in abitype's types: one value, a tuple of several, or undefined for none. On the wire a single tuple
 * is a list of its members, and a single value may be without a list. Throws an Error if the output does not match the ABI.
 */
const outputOf = (outputs: readonly AbiParameter[], value: unknown): unknown => {
  const [only] = outputs
  if (value === undefined) throw new Error('the response to a read-only function has no output')
  if (only === undefined) return undefined
  if (outputs.length === 1) {
    if (only.type === 'tuple') return converted(only, value, 'output')
    return converted(only, Array.isArray(value) ? sole(value) : value, 'output')
  }
  return convertedAll(outputs, value, 'output')
}

const sole = (value: readonly unknown[]): unknown => {
  if (value.length !== 1)
    throw new Error(`output has ${value.length} values, but the ABI declares 1`)
  return value[0]
}

const convertedAll = (
  parameters: readonly AbiParameter[],
  value: unknown,
  where: string,
): readonly unknown[] => {
  if (!Array.isArray(value) || value.length !== parameters.length)
    throw new Error(`${where} does not have the ${parameters.length} values that the ABI declares`)
  return parameters.map((parameter, index) =>
    converted(parameter, value[index], `${where}/${index}`),
  )
}

const converted = (parameter: AbiParameter, value: unknown, where: string): unknown => {
  const { type } = parameter
  const [, item, size] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (item !== undefined) {
    if (!Array.isArray(value) || (size && value.length !== Number(size)))
      throw wrongType(where, type)
    return value.map((one, index) =>
      converted({ ...parameter, type: item }, one, `${where}/${index}`),
    )
  }
  if (type === 'tuple') return tupleOf(parameter, value, where)
  const [, bits] = /^u?int(\d*)$/.exec(type) ?? []
  if (bits !== undefined) return integerOf(type, Number(bits || 256), value, where)
  if (type === 'bool') {
    if (typeof value === 'boolean') return value
    if (value === 'true' || value === 'false') return value === 'true'
    throw wrongType(where, type)
  }
  if (typeof value !== 'string') throw wrongType(where, type)
  return value
}

/** A tuple as an object if all members have names, else as an array. */
const tupleOf = (parameter: AbiParameter, value: unknown, where: string): unknown => {
  const components = 'components' in parameter ? parameter.components : []
  const names = components.map(({ name }) => name ?? '')
  const isNamed = names.every((name) => name !== '')
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const members = isObject && isNamed ? names.map((name) => (value as Members)[name]) : value
  const values = convertedAll(components, members, where)
  return isNamed ? Object.fromEntries(names.map((name, index) => [name, values[index]])) : values
}

/** Integers of up to 48 bits are numbers, larger ones bigints, as in abitype. */
const integerOf = (type: string, bits: number, value: unknown, where: string): number | bigint => {
  const isInteger = typeof value === 'string' ? /^-?\d+$/.test(value) : Number.isSafeInteger(value)
  if (!isInteger) throw wrongType(where, type)
  return bits <= 48 ? Number(value) : BigInt(value as string | number)
}

const wrongType = (where: string, type: string): Error =>
  new Error(`${where} is not of the type ${type}`)

type Members = Readonly<Record<string, unknown>>
