/** The name that a mistyped word probably meant: it differs in at most `most` letters, by default a third of its length. */
export const nearest = (
  word: string,
  names: readonly string[],
  most?: number,
): string | undefined => {
  const rated = names
    .map((name) => ({ name, distance: distance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = rated[0]
  return best && best.distance <= (most ?? Math.max(1, Math.floor(best.name.length / 3)))
    ? best.name
    : undefined
}

/** `: did you mean "generate"?`, or the list of names. */
export const suggestion = (word: string, names: readonly string[]): string => {
  const near = nearest(word, names) ?? beginningOf(word, names)
  return near === undefined
    ? `: there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`
    : `: did you mean ${near}?`
}

/** The only name that is the beginning of the word, or that begins with it: `--output` for `--out`. */
const beginningOf = (word: string, names: readonly string[]): string | undefined => {
  const [only, ...others] = names.filter(
    (name) => word !== '' && name !== '' && (name.startsWith(word) || word.startsWith(name)),
  )
  return others.length === 0 ? only : undefined
}

/** The number of letters to insert, delete or change, or of neighbours to swap. */
const distance = (from: string, to: string): number => {
  let before: readonly number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const change = (row[column] ?? 0) + (letter === other ? 0 : 1)
      const isSwap = letter === to[column - 1] && other === from[index - 1]
      const swap = isSwap ? (before[column - 1] ?? 0) + 1 : change
      next.push(Math.min(change, swap, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
