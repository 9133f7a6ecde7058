/**
 * The value with one thing changed, over and over: each member dropped, of another type, renamed or doubled, each string with
 * a bad digit, another prefix, one digit more or less, a leading zero; each list one longer or empty. Some are still valid.
 * A copy is made for each. Of long lists the first and the last members are changed.
 */
export function* mutantsOf(value: unknown): Generator<unknown> {
  for (const replacement of replacements(value)) yield replacement
  if (Array.isArray(value)) {
    const edge = [...value.keys()].filter((index) => index < 10 || index >= value.length - 2)
    for (const index of edge) {
      yield value.filter((_, other) => other !== index)
      for (const mutant of mutantsOf(value[index])) yield value.with(index, mutant)
    }
    yield [...value, ...value.slice(-1)]
    yield [...value, null]
    yield [...value, ...Array.from({ length: 40 }, () => value[0])]
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    yield { ...value, undeclared: 1 }
    for (const [name, member] of entries) {
      const others = entries.filter(([other]) => other !== name)
      yield Object.fromEntries(others)
      yield Object.fromEntries([...others, [`${name}s`, member]])
      for (const mutant of mutantsOf(member)) {
        yield Object.fromEntries([...others, [name, mutant]])
      }
    }
  }
}

/** With lists of at most ten members, so that all mutants of it can be looked at; what is valid stays so. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 10).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}

function* replacements(value: unknown): Generator<unknown> {
  for (const other of [null, true, 0, 1.5, '', '0x', '0x0', '0x2', [], {}, [null]]) {
    if (JSON.stringify(other) !== JSON.stringify(value)) yield other
  }
  if (typeof value !== 'string') return
  yield value.toUpperCase()
  yield value.replace('0x', '0X')
  yield value.replace('0x', '')
  yield value.replace('0x', '0x0')
  yield `${value}0`
  yield `${value}g`
  yield `${value}\n`
  yield ` ${value}`
  yield value.slice(0, -1)
  yield `${value.slice(0, -1)}\u0130`
  yield `${value.slice(0, value.length >> 1)}g${value.slice((value.length >> 1) + 1)}`
}
