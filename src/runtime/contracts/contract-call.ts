import type { AbiFunction, AbiParametersToPrimitiveTypes, ParseAbi } from 'abitype'
import type { Sent } from '../http/input.js'
import type { CallOptions } from '../http.js'
import type { ContractFields } from '../operation.js'

/** An operation in its variant that calls a contract, typed by the ABI lines of each call. */
export type ContractCall<Operation, Variant extends VariantType, Fields extends ContractFields> = <
  const Lines extends readonly string[],
  const Name extends FunctionOf<Lines>['name'],
>(
  input: InputOf<Operation> & { readonly body: Body<Variant['request'], Fields, Lines, Name> },
  options?: CallOptions,
) => Promise<Answer<Variant['answer'], Fields['output'], Called<Lines, Name>>>

type VariantType = { readonly request: object; readonly answer: unknown }

/** All that a call takes beside its body. */
type InputOf<Operation> = Operation extends (input: infer Input, ...rest: never) => unknown
  ? Omit<Input, 'body'>
  : never

type Body<Request, Fields extends ContractFields, Lines, Name extends string> = Omit<
  Sent<Request>,
  Fields['abi' | 'method' | 'arguments']
> & { readonly [Key in Fields['abi']]: Lines } & {
  readonly [Key in Fields['method']]: Name
} & { readonly [Key in Fields['arguments']]: Arguments<Called<Lines, Name>> }

/** The functions of human-readable lines; `tuple(…)` is read as `(…)`. */
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

/** Distributes: of overloaded functions the arguments of any. */
type Arguments<F extends AbiFunction> = F extends AbiFunction
  ? Given<AbiParametersToPrimitiveTypes<F['inputs'], 'inputs'>>
  : never

/** An integer may be a bigint, a number or a decimal text. */
type Given<T> = T extends bigint | number
  ? bigint | number | `${bigint}`
  : T extends object
    ? { readonly [Key in keyof T]: Given<T[Key]> }
    : T

/** A function that reads is answered with its output, any other with one of the answers that have none. */
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
