import { cached, once } from '../../runtime/shared/cached.js'
import type { Node } from '../node.js'
import {
  type Constraint,
  type Gap,
  type Item,
  type Limit,
  type MemberQuestion,
  type Path,
  type Question,
  segmentKey,
} from './gap.js'

/**
 * All gaps of a question, those of the value itself first, then those of its members. Each question is visited once, by its
 * shortest path. `itemsOf` returns a limit if the work is too much; these questions are reported as one gap at the end.
 * Questions without gaps are added to `clean`; questions in `clean` are not visited.
 */
export function* followed(
  root: Question,
  itemsOf: (question: Question) => readonly Item[] | Limit,
  clean: Set<Question> = new Set(),
): Generator<Gap> {
  const seen = new Map<Question, Set<string>>([[root, new Set()]])
  const holders = new Map<Question, Question[]>()
  const dirty = new Set<Question>()
  const queue: Visit[] = [{ question: root, isFirst: true, from: undefined }]
  const left: Left[] = []
  const reported = new Set<string>()
  for (const visit of queue) {
    const found = itemsOf(visit.question)
    const items = 'counts' in found ? [] : found
    if ('counts' in found) left.push({ visit, limit: found })
    if ('counts' in found || items.some(({ kind }) => kind !== 'member')) dirty.add(visit.question)
    for (const item of items) {
      if (item.kind !== 'member') {
        // A question on another path has the same gaps, except for its last step.
        const gap = visit.isFirst || item.path.length === 0 ? raised(item, visit) : undefined
        const key = gap && keyOf(gap)
        if (!gap || key === undefined || reported.has(key)) continue
        reported.add(key)
        yield gap
      } else if (visit.isFirst && !clean.has(item.question)) {
        const { question } = item
        const key = segmentKey(item.segment)
        const steps = seen.get(question)
        cached(holders, question, () => []).push(visit.question)
        if (steps?.has(key)) continue
        seen.set(question, (steps ?? new Set()).add(key))
        queue.push({ question, isFirst: steps === undefined, from: { visit, link: item } })
      }
    }
  }
  for (const question of dirty) {
    for (const holder of holders.get(question) ?? []) dirty.add(holder)
  }
  for (const question of seen.keys()) if (!dirty.has(question)) clean.add(question)
  const [first] = left
  if (first) yield undecided(first, left)
}

/** A recursive schema, or one in several places of a value, is reported at its first place. */
const keyOf = ({ kind, path, inner, outer }: Gap): string =>
  JSON.stringify([
    ...[path.at(-1), kind, inner.node?.id, outer.node?.id],
    ...[outer.keyword, inner.says],
  ])

type Visit = {
  readonly question: Question
  readonly isFirst: boolean
  readonly from: { readonly visit: Visit; readonly link: MemberQuestion } | undefined
}

/** A visit whose question was abandoned, and the limit that was reached. */
type Left = { readonly visit: Visit; readonly limit: Limit }

/** The links that lead to a visit, the last one first. */
function linksTo({ from }: Visit): readonly MemberQuestion[] {
  const links: MemberQuestion[] = []
  for (let at = from; at; at = at.visit.from) links.push(at.link)
  return links
}

const pathTo = (links: readonly MemberQuestion[]): Path =>
  links.map(({ segment }) => segment).reverse()

/** The gap of a member as a gap of the whole; undefined if it counts only with a witness and has none. */
function raised(gap: Gap, visit: Visit): Gap | undefined {
  const links = linksTo(visit)
  if (links.length === 0) return gap
  const [nearest] = links
  const proof = once(() => proofOf(gap, links))
  const isTested = links.some(({ counts }) => counts === 'if-shown' || counts === 'only-if-shown')
  if (isTested && !proof().isGap) return undefined
  const from = links.findIndex(({ isAlternative }) => isAlternative)
  const alternative = gap.alternative ?? (from < 0 ? undefined : from + 1 + gap.path.length)
  return {
    kind: gap.kind,
    path: [...pathTo(links), ...gap.path],
    inner: placed(gap.inner, nearest?.inner),
    outer: placed(gap.outer, nearest?.outer),
    ...(alternative !== undefined && { alternative }),
    ...(gap.limit && { limit: gap.limit }),
    ...(gap.overlap && { overlap: gap.overlap }),
    get isCertain() {
      return isTested
        ? proof().isCertain
        : gap.isCertain && links.every(({ counts }) => counts !== 'as-uncertain')
    },
    get witness() {
      return proof().witness
    },
  }
}

/** Puts the witness of a gap into a value of the whole; called only when the result is needed. */
function proofOf(gap: Gap, links: readonly MemberQuestion[]) {
  let { isCertain, witness } = gap
  let isGap = true
  for (const { wrap, counts } of links) {
    witness = links.length > DEEPEST ? undefined : witness && wrap(witness.value)
    if (counts === 'as-uncertain') isCertain = false
    if (counts === 'if-shown' || counts === 'only-if-shown') isCertain = witness !== undefined
    if (counts === 'only-if-shown' && !witness) isGap = false
  }
  return { isCertain, witness, isGap }
}

/** A witness that is nested deeper is not readable. */
const DEEPEST = 60

/** `true` and `false` have no location in a document, so the schema that contains them is used. */
const placed = (evidence: Constraint, holder: Node | undefined): Constraint =>
  typeof evidence.node?.schema === 'object'
    ? evidence
    : { ...evidence, node: holder, keyword: undefined }

/** The gap for all pairs that were not compared, with their places. */
function undecided({ visit, limit }: Left, left: readonly Left[]): Gap {
  const { terms, outer } = visit.question
  const says = left.map((one) => pathTo(linksTo(one.visit)))
  return {
    kind: 'undecided',
    path: [],
    inner: { node: terms[0], keyword: undefined, says },
    outer: { node: outer, keyword: undefined, says },
    isCertain: false,
    witness: undefined,
    limit,
  }
}

/**
 * Answers recursive questions. Values are finite, so an open question is assumed to be true: if all smaller values fulfil the
 * schema, this one does. Results that depend on an assumption are kept only if it turns out to be true.
 */
export function createAnswers(expand: (question: Question) => readonly Item[]): Answers {
  const settled = new Map<Question, Answer>()
  const drafts = new Map<Question, Draft>()
  const open = new Map<Question, number>()
  const assumed = new Set<Question>()
  /** The depth of the outermost open question that the current one depends on. */
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
      // Assuming that questions hold cannot make one fail.
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
  /** Whether no question is open. */
  readonly isIdle: () => boolean
  /** The number of nested open questions. */
  readonly depth: () => number
  readonly isKnown: (question: Question) => boolean
  /** Records that a question stays undecided, with the given items. */
  readonly giveUp: (question: Question, items: readonly Item[]) => void
  /** Discards open questions after an error has ended the work. */
  readonly abandon: () => void
}

type Answer = {
  readonly items: readonly Item[] | undefined
  readonly isHeld: boolean | undefined
}

type Draft = { readonly answer: Answer; readonly dependsOn: number }

const ASSUMED: Answer = { items: [], isHeld: true }

const NOBODY = Number.POSITIVE_INFINITY
