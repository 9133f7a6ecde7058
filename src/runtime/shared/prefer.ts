/**
 * What a request asks of a mock by `Prefer` (RFC 7240): `code=404` for a response of that status, `example=NAME` for one
 * example, both for that example of that status, and `dynamic=true` for a value made from the schema.
 */
export const preferred = (prefer: string | undefined): Preferred => ({
  code: /(?:^|[,;\s])code="?(\d{3})/.exec(prefer ?? '')?.[1],
  example: /(?:^|[,;\s])example="?([^",;]+)/.exec(prefer ?? '')?.[1]?.trim(),
  dynamic: /(?:^|[,;\s])dynamic="?true/.test(prefer ?? ''),
})

export type Preferred = {
  readonly code: string | undefined
  readonly example: string | undefined
  readonly dynamic: boolean
}

/** Whether a name means an example, which may be called as in the projection: `noTokens`, `no tokens`, `no-tokens`. */
export const isSameExample = (one: string, other: string): boolean => bare(one) === bare(other)

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
