/** Members by key. Of members with the same key, each has an entry of its own, so that the nth is compared with the nth. */
export function byKey<One>(
  all: readonly One[],
  keyOf: (one: One, index: number) => string,
): Map<string, One> {
  const times = new Map<string, number>()
  return new Map(
    all.map((one, index) => {
      const key = keyOf(one, index)
      const time = times.get(key) ?? 0
      times.set(key, time + 1)
      return [`${key}\n${time}`, one]
    }),
  )
}
