import { expectTypeOf, it } from 'vitest'
import type { CallOptions, HttpOptions } from '../../src/runtime/http.js'

declare global {
  // As Next.js adds it.
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged
  interface RequestInit {
    readonly next?: { readonly revalidate?: number }
  }
}

it('fetchOptions have the types of the platform, and of a framework that adds fields', () => {
  const options = { fetchOptions: { cache: 'no-store', next: { revalidate: 60 } } } as const
  expectTypeOf(options).toExtend<CallOptions & HttpOptions>()
  // @ts-expect-error the client sets it
  const taken: CallOptions = { fetchOptions: { method: 'GET' } }
  // @ts-expect-error there is no such field
  const unknown: CallOptions = { fetchOptions: { cahce: 'no-store' } }
  expectTypeOf([taken, unknown]).toExtend<readonly CallOptions[]>()
})
