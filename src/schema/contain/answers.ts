import type { Item, Question } from './gap.js'

/**
 * Answers questions that are asked again within themselves. Values are finite: what holds of all that is smaller holds
 * of this one, so an open question is assumed to hold. What is found under such an assumption is kept only if it turns out right.
 */
export function createAnswers(expand: (question: Question) => readonly Item[]): Answers {
  const settled = new Map<Question, Answer>()
  const drafts = new Map<Question, Draft>()
  const open = new Map<Question, number>()
  const assumed = new Set<Question>()
  /** The outermost open question that the present one depends on, by its depth. */
  let dependsOn = NOBODY

  const depend = (depth: number) => {
    dependsOn = Math.min(dependsOn, depth)
  }

  const areHeld = (items: readonly Item[]): boolean =>
    items.every((one) => one.kind === 'member' && answer(one.question, 'isHeld').isHeld === true)

  function answer(question: Question, wanted: keyof Answer): Answer {
    const known = settled.get(question)
    if (known?.[wanted] !== undefined) return known
    const draft = drafts.get(question)
    if (draft?.answer[wanted] !== undefined) {
      depend(draft.dependsOn)
      return draft.answer
    }
    const depth = open.get(question)
    if (depth === undefined) return settle(question, wanted)
    depend(depth)
    assumed.add(question)
    return ASSUMED
  }

  function settle(question: Question, wanted: keyof Answer): Answer {
    const around = dependsOn
    const depth = open.size
    const first = drafts.size
    dependsOn = NOBODY
    open.set(question, depth)
    let items: Answer['items'] = settled.get(question)?.items ?? expand(question)
    const isAsked = wanted === 'isHeld' || dependsOn <= depth
    const isHeld = isAsked ? areHeld(items) : undefined
    if (isHeld === false) {
      // Nothing that was assumed to hold made it fail.
      settled.set(question, { items: undefined, isHeld })
      if (assumed.has(question)) {
        for (const one of [...drafts.keys()].slice(first)) drafts.delete(one)
        dependsOn = NOBODY
        items = wanted === 'items' ? expand(question) : undefined
      }
    }
    open.delete(question)
    assumed.delete(question)
    const found = { items, isHeld }
    if (dependsOn < depth) drafts.set(question, { answer: found, dependsOn })
    else {
      settled.set(question, found)
      for (const [one, draft] of [...drafts].slice(first)) {
        if (draft.dependsOn < depth) continue
        drafts.delete(one)
        settled.set(one, draft.answer)
      }
    }
    depend(around)
    return found
  }

  return {
    itemsOf: (question) => answer(question, 'items').items ?? [],
    areHeld,
    isHeld: (question) => answer(question, 'isHeld').isHeld === true,
    isIdle: () => open.size === 0,
    depth: () => open.size,
    isKnown: (question) => settled.get(question)?.items !== undefined,
    giveUp: (question, items) => {
      settled.set(question, { items, isHeld: false })
    },
    abandon: () => {
      open.clear()
      drafts.clear()
      assumed.clear()
      dependsOn = NOBODY
    },
  }
}

export type Answers = {
  readonly itemsOf: (question: Question) => readonly Item[]
  readonly areHeld: (items: readonly Item[]) => boolean
  readonly isHeld: (question: Question) => boolean
  /** No question is open. */
  readonly isIdle: () => boolean
  /** How many questions are open within each other. */
  readonly depth: () => number
  readonly isKnown: (question: Question) => boolean
  /** Decides that a question stays without an answer. */
  readonly giveUp: (question: Question, items: readonly Item[]) => void
  /** Forgets what was open when an error ended the work. */
  readonly abandon: () => void
}

type Answer = {
  readonly items: readonly Item[] | undefined
  readonly isHeld: boolean | undefined
}

type Draft = { readonly answer: Answer; readonly dependsOn: number }

const ASSUMED: Answer = { items: [], isHeld: true }

const NOBODY = Number.POSITIVE_INFINITY
