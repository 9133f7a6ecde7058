import { compilePattern } from '../../runtime/validate.js'
import { type Escape, escaping } from '../patterns/language.js'
import type { StringTerms } from '../patterns/string-terms.js'
import { ANY_STRING } from './contain-string.js'
import { accepts, madeNode } from './node.js'
import { allowsAny, KEYS, type ObjectView } from './object-view.js'
import { stringTerms } from './string-view.js'
import type { Work } from './work.js'

/**
 * The names that properties without a schema of their own may have. Those of a map whose names are listed are told one by one, and
 * all others by the patterns of both versions that they match: a kind for each way in which those can meet. `kinds` is undefined
 * where there are too many of them.
 */
export function namesOf(work: Work, view: ObjectView): Names {
  const { outer, schema, shaping, reading } = work
  const isAny = view.rest !== undefined || allowsAny(view, reading)
  const isMap = isAny || view.patterns.length > 0
  const nameShapes = isMap
    ? shaping.shapesOf([...view.nameTerms, madeNode(outer.side, { type: 'string' })])
    : []
  if (nameShapes.every(({ values }) => values)) {
    const listed = nameShapes.flatMap(({ values = [] }) => values.map(String))
    return { listed, kinds: [] }
  }
  const taken = new Set([...view.names, ...Object.keys(schema.properties ?? {})])
  const isFree = (name: string) =>
    !taken.has(name) && view.nameTerms.every((node) => accepts(node, name))
  const [only, ...others] = nameShapes
  const base = only && others.length === 0 ? stringTerms(only.parts) : ANY_STRING
  const patterns = new Set([...view.patterns, ...Object.keys(schema.patternProperties ?? {})])
  const all = kindsOf(base, [...patterns], isFree)
  const isOwn = ({ matched }: NameKind) =>
    isAny || view.patterns.some((pattern) => matched.has(pattern))
  return { listed: [], kinds: all?.filter(isOwn) }
}

export type Names = {
  readonly listed: readonly string[]
  readonly kinds: readonly NameKind[] | undefined
}

export type NameKind = {
  readonly matched: ReadonlySet<string>
  /** One of the kind; undefined where none is found. */
  readonly name: string | undefined
  /** There are such names. */
  readonly isCertain: boolean
}

type Draft = { readonly inside: readonly string[]; readonly outside: readonly string[] }

/** Pattern by pattern, each kind is split into those that match it and those that do not. */
function kindsOf(
  base: StringTerms,
  patterns: readonly string[],
  isFree: (name: string) => boolean,
): readonly NameKind[] | undefined {
  const look = ({ inside, outside }: Draft): Escape => {
    const [within, without] = [inside.map(compilePattern), outside.map(compilePattern)]
    const key = KEYS.find(
      (one) =>
        within.every((pattern) => pattern.test(one)) &&
        !without.some((pattern) => pattern.test(one)) &&
        isFree(one),
    )
    if (key !== undefined) return { kind: 'word', word: key }
    const terms = { ...base, patterns: [...base.patterns, ...inside] }
    const beyond = outside.map((pattern) => ({ ...ANY_STRING, patterns: [pattern] }))
    return escaping(terms, beyond, (word) => !isFree(word))
  }
  let drafts: readonly Draft[] = [{ inside: [], outside: [] }]
  for (const pattern of patterns) {
    drafts = drafts
      .flatMap(({ inside, outside }) => [
        { inside: [...inside, pattern], outside },
        { inside, outside: [...outside, pattern] },
      ])
      .filter((draft) => look(draft).kind !== 'none')
    if (drafts.length > MOST_KINDS) return undefined
  }
  return drafts.flatMap((draft) => {
    const found = look(draft)
    if (found.kind === 'none') return []
    const name = found.kind === 'word' ? found.word : undefined
    return [{ matched: new Set(draft.inside), name, isCertain: found.kind !== 'unknown' }]
  })
}

const MOST_KINDS = 32
