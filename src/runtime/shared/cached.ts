/** The value of a key, which is created if there is none. */
export const cached = <Key, Value>(
  known: {
    readonly get: (key: Key) => Value | undefined
    readonly set: (key: Key, value: Value) => unknown
  },
  key: Key,
  make: () => Value,
): Value => {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}

/** The value of a function that is called at most once. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
