/**
 * What a request asks of a mock by `Prefer` (RFC 7240). `code=404` asks for a response of that status, `code=-32000`
 * for an error of a method. `example=NAME` asks for one example, with `code` for that example of that status.
 * `dynamic=true` asks for a value made from the schema.
 */
export const preferred = (prefer: string | undefined): Preferred => ({
  code: codeOf(/(?:^|[,;\s])code="?(-?\d{4,6}|\d{3})/.exec(prefer ?? '')?.[1]),
  example: /(?:^|[,;\s])example="?([^",;]+)/.exec(prefer ?? '')?.[1]?.trim(),
  dynamic: /(?:^|[,;\s])dynamic="?true/.test(prefer ?? ''),
})

export type Preferred = {
  readonly code: number | undefined
  readonly example: string | undefined
  readonly dynamic: boolean
}

const codeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)

/** Whether a name means an example, which may be called as in the projection: `noTokens`, `no tokens`, `no-tokens`. */
export const isSameExample = (one: string, other: string): boolean => bare(one) === bare(other)

const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
