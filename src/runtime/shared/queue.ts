/** A queue of any length: `shift` of an array of more than 50,000 values copies all of them. */
export type Queue<Value> = {
  readonly push: (value: Value) => void
  /** Removes the first value that fulfils the condition, or the first of all; undefined if there is none. */
  readonly take: (fulfils?: (value: Value) => boolean) => Value | undefined
}

/** Creates an empty queue. */
export const createQueue = <Value extends object>(): Queue<Value> => {
  let added: Value[] = []
  /** Those before, the last one first. */
  let first: Value[] = []
  return {
    push: (value) => void added.push(value),
    take: (fulfils) => {
      if (first.length === 0) {
        first = added.reverse()
        added = []
      }
      if (!fulfils) return first.pop()
      const at = first.findLastIndex(fulfils)
      if (at >= 0) return first.splice(at, 1)[0]
      const later = added.findIndex(fulfils)
      return later < 0 ? undefined : added.splice(later, 1)[0]
    },
  }
}
