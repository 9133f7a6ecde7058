import type { Static, TSchema } from 'typebox'
import { describe, expectTypeOf, it } from 'vitest'
import type { components as HttpComponents } from '../../generated/http.types.js'
import type { components as RpcComponents } from '../../generated/rpc.types.js'
import type * as schemas from '../../generated/schemas.js'
import type { Differing } from './equal.js'

type HttpSchemas = HttpComponents['schemas']
type RpcSchemas = RpcComponents['schemas']
type Values = typeof schemas
/** Of whatever `schemas.ts` exports, so that no list has to be kept. */
type Statics = { [K in keyof Values]: Values[K] extends TSchema ? Static<Values[K]> : never }
type Http = Pick<Statics, keyof Statics & keyof HttpSchemas>
type Rpc = Pick<Statics, keyof Statics & keyof RpcSchemas>

describe('TypeBox and openapi-typescript describe the same shapes', () => {
  it('for every named schema of the HTTP document', () => {
    expectTypeOf<never>().toEqualTypeOf<Differing<Http, HttpSchemas>>()
  })

  it('for every named schema of the OpenRPC document', () => {
    expectTypeOf<never>().toEqualTypeOf<Differing<Rpc, RpcSchemas>>()
  })

  it('and schemas.ts exports nothing that neither document names', () => {
    expectTypeOf<never>().toEqualTypeOf<
      Exclude<keyof Statics, keyof HttpSchemas | keyof RpcSchemas>
    >()
  })
})

/** The oracle is worth what it can see: each row is a pair, and the name under which it must differ. */
describe('the comparison', () => {
  it('takes two ways of writing one shape for the same', () => {
    type One = {
      flat: { a: 1 } & { b?: 2 }
      list: Array<{ a: 1 } & { b: 2 }>
      union: 'x' | { a: { b: 1 } & { c: 2 } }
      never: { a?: never }
      extra: { a: 1 } & { [key: string]: unknown }
    }
    type Other = {
      flat: { b?: 2; a: 1 }
      list: { b: 2; a: 1 }[]
      union: { a: { c: 2; b: 1 } } | 'x'
      never: { a?: never }
      extra: { [key: string]: unknown; a: 1 }
    }
    expectTypeOf<Differing<One, Other>>().toEqualTypeOf<never>()
  })

  it('sees whatever a caller would notice', () => {
    type One = {
      any: Any
      anyOnBothSides: Any
      anyDeepOnBothSides: { a: { b: Any }[] }
      anyAgainstUnknown: { a: Any }
      optional: { a?: 1 }
      undefinedBesideOptional: { a?: 1 }
      oneMore: { a: 1; b?: 2 }
      readonly: { readonly a: 1 }
      wider: 'a' | 'b'
      null: string | null
      tuple: [string, string?]
      index: { [key: string]: string }
      never: { a?: never }
      deep: Nested<{ a: 1 }>
      recursive: Recursive<'left'>
      missing: 1
    }
    type Other = {
      any: string
      anyOnBothSides: Any
      anyDeepOnBothSides: { a: { b: Any }[] }
      anyAgainstUnknown: { a: unknown }
      optional: { a: 1 }
      undefinedBesideOptional: { a?: 1 | undefined }
      oneMore: { a: 1 }
      readonly: { a: 1 }
      wider: 'a'
      null: string
      tuple: [string, string]
      index: { [key: string]: unknown }
      never: { a?: unknown }
      deep: Nested<{ a?: 1 }>
      recursive: Recursive<'right'>
    }
    expectTypeOf<Differing<One, Other>>().toEqualTypeOf<keyof One>()
  })
})

/** What JSON.parse gives; the house writes none. */
type Any = ReturnType<typeof JSON.parse>
type Nested<T> = { a: { b: { c: { d: { e: { f: { g: { h: T[] }[] } } } } } } }
type Recursive<T> = { value: T; children?: Recursive<T>[] }
