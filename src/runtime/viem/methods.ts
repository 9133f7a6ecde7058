import { type EIP1474Methods, rpcSchema } from 'viem'
import type { MethodMap, MethodType } from '../rpc/caller.js'

/** Of the methods of a document those that viem does not know, as an `RpcSchema`: viem's types stand for its own. */
export type OwnMethods<
  Methods extends MethodMap,
  Names extends readonly (keyof Methods & string)[],
  Found extends readonly unknown[] = [],
> = Names extends readonly [
  infer Name extends keyof Methods & string,
  ...infer Rest extends readonly (keyof Methods & string)[],
]
  ? OwnMethods<
      Methods,
      Rest,
      Name extends KnownMethod ? Found : [...Found, Entry<Name, Methods[Name]>]
    >
  : Found

/** The value by which a client of viem gets its types: viem's methods, and those that are given. */
export const typeMethods = <Own extends readonly unknown[]>(): TypedMethods<Own> =>
  rpcSchema<TypedMethods<Own>>()

/** viem's methods, and those of a document that it does not know. */
export type TypedMethods<Own extends readonly unknown[]> = [
  ...EIP1474Methods,
  ...Extract<Own, readonly Entry<string, MethodType>[]>,
]

type KnownMethod = EIP1474Methods[number]['Method']

/** Without params none need be given. */
type Entry<Name extends string, M extends MethodType> = {
  readonly Method: Name
  readonly Parameters: M['params'] extends readonly [] ? undefined : M['params']
  readonly ReturnType: M['result']
}
