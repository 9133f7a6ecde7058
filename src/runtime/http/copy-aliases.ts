/** `x-same-as`: what one property carries, its absent or null twin is given too. */
export const copyAliases = (
  body: unknown,
  pairs: readonly (readonly [string, string])[] = [],
): unknown => {
  if (pairs.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body))
    return body
  const record = body as Readonly<Record<string, unknown>>
  const copies: Record<string, unknown> = {}
  for (const [one, other] of pairs) {
    const [first, second] = [record[one] ?? undefined, record[other] ?? undefined]
    if (first === undefined && second !== undefined) copies[one] = second
    if (second === undefined && first !== undefined) copies[other] = first
  }
  return Object.keys(copies).length === 0 ? body : { ...record, ...copies }
}
