/**
 * Answers to questions that are asked again within themselves. What was answered while another question was open, and leaned on
 * it, stands only if that one's answer turns out to be what was assumed.
 */
export function createProgress<Answer>(isAsAssumed: (answer: Answer) => boolean): Progress<Answer> {
  const settled = new Map<string, Answer>()
  const provisional = new Map<string, { readonly answer: Answer; readonly leansOn: number }>()
  const open = new Map<string, number>()
  /** The outermost open question that the present one leans on, by its depth. */
  let leansOn = NOBODY

  const lean = (depth: number) => {
    leansOn = Math.min(leansOn, depth)
  }

  return {
    isIdle: () => open.size === 0,
    isPending: (key) => {
      const depth = open.get(key)
      if (depth !== undefined) lean(depth)
      return depth !== undefined
    },
    known: (key) => {
      const told = provisional.get(key)
      if (told) lean(told.leansOn)
      return told?.answer ?? settled.get(key)
    },
    settle: (key, ask) => {
      const around = leansOn
      const depth = open.size
      leansOn = NOBODY
      open.set(key, depth)
      const answer = ask()
      open.delete(key)
      if (leansOn < depth) {
        provisional.set(key, { answer, leansOn })
        lean(around)
        return answer
      }
      settled.set(key, answer)
      const isRight = isAsAssumed(answer)
      for (const [other, told] of provisional) {
        if (told.leansOn < depth) continue
        provisional.delete(other)
        // What was found in spite of the assumption is there without it too.
        if (isRight || !isAsAssumed(told.answer)) settled.set(other, told.answer)
      }
      leansOn = around
      return answer
    },
  }
}

export type Progress<Answer> = {
  /** No question is open. */
  readonly isIdle: () => boolean
  /** Whether the question is open, so that its answer must be assumed. */
  readonly isPending: (key: string) => boolean
  readonly known: (key: string) => Answer | undefined
  readonly settle: (key: string, ask: () => Answer) => Answer
}

const NOBODY = Number.POSITIVE_INFINITY
