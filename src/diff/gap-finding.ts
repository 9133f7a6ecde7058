import type { Api } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { cached } from '../runtime/shared/cached.js'
import type { Gap, Path, Segment } from '../schema/contain/gap.js'
import { grouped } from '../schema/grouped.js'
import { bySize } from '../schema/json-values.js'
import {
  asserted,
  dereference,
  type Schema,
  type SchemaObject,
  subschemas,
} from '../schema/schema.js'
import { sourceOf } from '../schema/source.js'
import type { Change, Met } from './change.js'
import { CHANGES, type ChangeKind, schemaRule } from './schema-rules.js'
import { article, shownList, wordsOf } from './schema-words.js'
import {
  consequenceOf,
  type DiffContext,
  locateConstraint,
  nameOfPlace,
  type Subject,
} from './subject.js'

/**
 * The effect of a gap that is not simply breaking: a `note` breaks nobody, a `hidden` one breaks those who send one alternative, although
 * another one accepts the value, and an `overlooked` one may.
 */
export type Effect = 'note' | 'hidden' | 'overlooked'

/** Creates the finding of a gap. `isLess`: the new version accepts less than the old one. */
export function findingOf(subject: Subject, gap: Gap, isLess: boolean, effect?: Effect): Change {
  const { direction } = subject
  const isDecided = gap.isCertain || gap.witness !== undefined
  const kind = kindOf(gap, isLess)
  const isBreaking = effect !== 'note'
  const rule = schemaRule(
    kind === 'undecided' || (isBreaking && !isDecided)
      ? `${direction}-change-is-undecided`
      : `${direction}-${CHANGES[kind][isLess ? 'less' : 'more']}`,
  )
  const [was, is] = isLess ? [gap.inner, gap.outer] : [gap.outer, gap.inner]
  const words = wordsOf(gap, isLess)
  const sentence = sentenceOf(subject.what, gap, isLess, words)
  const isOverlooked = isBreaking && effect !== undefined && !OF_UNIONS.has(gap.kind)
  const overlooked = isOverlooked ? overlookedBy(gap, isLess) : ''
  const message = !isDecided
    ? `cannot decide whether this breaks anybody: ${sentence}`
    : isBreaking
      ? `${sentence}: ${consequenceOf(subject)}${overlooked}`
      : sentence
  // An error requires a witness, or a gap whose witness is too large to show.
  const isShown = isBreaking && (gap.witness !== undefined || isTooLarge(gap))
  return {
    rule: rule.id,
    level: effect === 'note' ? 'note' : effect !== 'overlooked' && isShown ? rule.level : 'warning',
    location: locateConstraint(is, subject.after),
    before: locateConstraint(was, subject.before),
    message,
    ...(isBreaking &&
      gap.witness && {
        witness: effect === 'hidden' ? { ...gap.witness, isOfAlternative: true } : gap.witness,
      }),
    ...(isBreaking && rule.advice !== undefined && { advice: rule.advice }),
    cause: JSON.stringify([gap.path.at(-1), words]),
    subject: subject.what,
    sentence,
    met: metBy(gap),
  }
}

/** The kind in the rule: an alternative that lacks a property of all others is a new one. */
function kindOf(gap: Gap, isLess: boolean): ChangeKind | 'undecided' {
  if (gap.kind === 'value' && gap.inner.says === undefined) return 'list'
  return isLess || lackedBy(gap) === undefined ? gap.kind : 'alternative'
}

/** `root` is a placeholder: `schemaFindings` sets it to the old schema of the whole subject. */
const metBy = ({ kind, path, inner, outer, alternative }: Gap): Met => ({
  ...{ root: true, path, kind, was: inner.says, is: outer.says, after: outer.node },
  isPartial: alternative !== undefined,
  isDeclared: true,
})

/** Gaps of a union itself. */
const OF_UNIONS: ReadonlySet<string> = new Set(['alternative', 'overlap'])

const overlookedBy = ({ isExtending }: Gap, isLess: boolean): string =>
  `, although ${isExtending ? 'the parent schema' : 'another alternative'} of the ${isLess ? 'new' : 'old'} version accepts it`

const isTooLarge = ({ kind, inner, outer }: Gap): boolean =>
  LENGTHS.has(kind) && Math.max(Number(inner.says ?? 0), Number(outer.says ?? 0)) > LARGE

const LENGTHS = new Set(
  'shortest longest fewest-items most-items fewest-properties most-properties'.split(' '),
)

/** A number of items, properties or characters. */
const LARGE = 100

/** Subject, verb and object of a gap; the subject names the alternative that contains it. */
function sentenceOf(what: string, gap: Gap, isLess: boolean, words: string): string {
  const { path, alternative } = gap
  if (alternative === undefined || gap.kind === 'alternative')
    return `${nameOfPlace(what, path)} ${words}`
  const union = nameOfPlace(what, unionOf(gap))
  const inner = path.slice(path.length - alternative)
  const lacking = lackedBy(gap)
  if (lacking !== undefined) return lackingWords(union, [lacking], isLess)
  return inner.length === 0
    ? `an alternative of ${union} ${words}`
    : `${nameOfPlace(`an alternative of ${union}`, inner)} ${words}`
}

/** The path of the union whose alternative contains the gap. */
const unionOf = ({ path, alternative = 0 }: Gap): Path => path.slice(0, path.length - alternative)

/** The property that one alternative does not declare and the nearest alternative of the other version requires. */
function lackedBy({ kind, path, alternative, inner }: Gap): string | undefined {
  const last = path.at(-1)
  const isLacked = kind === 'required' && alternative === 1 && inner.says === undefined
  return isLacked && last?.kind === 'property' ? last.name : undefined
}

function lackingWords(union: string, names: readonly string[], isLess: boolean): string {
  const [last = '', ...others] = names.map((name) => `\`${name}\``).reverse()
  const list = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`
  return isLess
    ? `${union} can no longer be an alternative without ${list}`
    : `${union} may be a new alternative, which has no ${list}`
}

/** A finding about a pair of schemas, and its place in the value. */
export type Found = {
  readonly path: Path
  readonly finding: Change
  /** Undefined if only the declarations of the versions differ. */
  readonly gap: Gap | undefined
}

/** Merges findings: each cause becomes one finding, with the resulting findings as consequences. */
export function folded(
  context: DiffContext,
  subject: Subject,
  versions: Versions,
  all: readonly Found[],
): readonly Change[] {
  const rest = new Set(all)
  const causes: Change[] = []
  const fold = (ones: readonly Found[], cause: Change, followers = ones) => {
    for (const one of ones) rest.delete(one)
    const consequences = followers.map(({ finding }) => plain(finding))
    causes.push(consequences.length === 0 ? cause : { ...cause, consequences })
  }
  const places = new Map<string, { readonly place: FreePlace; readonly ones: Found[] }>()
  for (const one of all) {
    const place = freePlace(context, versions, one.path)
    // Whether a property is required does not depend on its values.
    const isOfPresence = one.gap?.kind === 'required' && one.path.length === place?.path.length
    if (!place || isOfPresence) continue
    // A change that is not breaking has no breaking consequences.
    const isBreaking = (subject.direction === 'response') === place.isAfter
    if (!isBreaking && one.finding.level !== 'note') continue
    const key = JSON.stringify(place.path)
    cached(places, key, () => ({ place, ones: [] })).ones.push(one)
  }
  for (const { place, ones } of places.values()) {
    const levels = ones.map(({ finding }) => finding.level)
    // Warnings alone are undecided, so no single change is their cause.
    const isCertain = levels.includes('error') || !levels.includes('warning')
    const isReported = ones.some(({ path, gap }) => gap && path.length === place.path.length)
    if (!isCertain || !isReported) continue
    fold(ones, freeing(subject, place, ones), ones.length === 1 ? [] : ones)
  }
  for (const ones of alternatives([...rest])) {
    // The message already names the missing properties.
    const others = ones.filter(({ gap }) => !gap || lackedBy(gap) === undefined)
    fold(ones, newAlternative(subject, ones), others)
  }
  return [...causes, ...[...rest].map(({ finding }) => finding)]
}

type Versions = { readonly before: Schema; readonly after: Schema }

/** A place where exactly one version allows any value. */
type FreePlace = Versions & { readonly path: Path; readonly isAfter: boolean }

function freePlace(context: DiffContext, versions: Versions, path: Path): FreePlace | undefined {
  let before: Schema | undefined = dereference(versions.before, context.before.schemas)
  let after: Schema | undefined = dereference(versions.after, context.after.schemas)
  for (let length = 0; before !== undefined && after !== undefined; length++) {
    const [was, is] = [isFree(before), isFree(after)]
    if (was !== is) return { before, after, path: path.slice(0, length), isAfter: is }
    const segment = path[length]
    if (was || !segment) return undefined
    before = resolvedWithin(context.before, before, segment)
    after = resolvedWithin(context.after, after, segment)
  }
  return undefined
}

const resolvedWithin = ({ schemas }: Api, schema: Schema, segment: Segment) => {
  const inner = within(schema, segment)
  return inner === undefined ? undefined : dereference(inner, schemas)
}

const isFree = (schema: Schema): boolean =>
  schema === true || (typeof schema === 'object' && asserted(schema).length === 0)

/** The schema that a schema itself declares for a member; undefined if it declares none. */
export function within(schema: Schema, segment: Segment): Schema | undefined {
  if (typeof schema === 'boolean') return undefined
  const { properties = {}, prefixItems = [], additionalProperties } = schema
  switch (segment.kind) {
    case 'property':
      return Object.hasOwn(properties, segment.name) ? properties[segment.name] : undefined
    case 'item':
      return prefixItems[segment.index] ?? otherItems(schema)
    case 'any-item':
      return otherItems(schema)
    case 'any-property':
      return additionalProperties
  }
}

/** The schema of items without their own schema: any value if neither the list nor an alternative or part of it declares one. */
const otherItems = (schema: SchemaObject): Schema | undefined => {
  const { items, unevaluatedItems } = schema
  const isOpen = unevaluatedItems === undefined && subschemas(schema, 'in-place').length === 0
  return items ?? (isOpen ? true : undefined)
}

/** The finding that any value is now allowed, or no longer allowed. */
function freeing(subject: Subject, place: FreePlace, ones: readonly Found[]): Change {
  const { before, after, path, isAfter } = place
  const { direction } = subject
  const isBreaking = ones.some(({ finding }) => finding.level === 'error')
  const { id, level, advice } = schemaRule(`${direction}-type-${isAfter ? 'widened' : 'narrowed'}`)
  const types = typeof after === 'object' ? after.type : undefined
  const words = isAfter
    ? 'may be any value now'
    : types === undefined
      ? 'can no longer be any value'
      : `must be ${shownList(types, article)} now; it could be any value`
  const sentence = `${nameOfPlace(subject.what, path)} ${words}`
  const witness = smallest(ones)
  return {
    rule: id,
    level: isBreaking ? level : 'note',
    location: sourceOf(after)?.locate() ?? subject.after.locate(),
    before: sourceOf(before)?.locate() ?? subject.before.locate(),
    message: isBreaking ? `${sentence}: ${consequenceOf(subject)}` : sentence,
    ...(isBreaking && witness),
    ...(isBreaking && advice !== undefined && { advice }),
    cause: JSON.stringify([path.at(-1), words]),
    subject: subject.what,
    met: anyAt(path),
  }
}

/** Groups the findings of an alternative that lacks properties of the nearest one, with other findings of the same witness. */
function alternatives(all: readonly Found[]): readonly (readonly Found[])[] {
  const lacking = all.filter(({ gap }) => gap && lackedBy(gap) !== undefined)
  const groups = grouped(lacking, ({ gap, finding }) =>
    JSON.stringify([gap && unionOf(gap), gap?.outer.node?.id, finding.rule]),
  )
  const used = new Set<Found>([...groups.values()].flat())
  return [...groups.values()].flatMap((group) => {
    const shown = new Set(group.map(({ finding }) => JSON.stringify(finding.witness)))
    const others = all.filter(
      (one) =>
        !used.has(one) &&
        one.gap?.alternative !== undefined &&
        one.finding.witness !== undefined &&
        shown.has(JSON.stringify(one.finding.witness)) &&
        one.finding.level === group[0]?.finding.level,
    )
    for (const one of others) used.add(one)
    return group.length + others.length > 1 ? [[...group, ...others]] : []
  })
}

function newAlternative(subject: Subject, ones: readonly Found[]): Change {
  const [first] = ones
  if (!first?.gap) throw new Error('an alternative is found by what it lacks')
  const names = [...new Set(ones.flatMap(({ gap }) => (gap && lackedBy(gap)) ?? []))]
  const { finding, gap } = first
  const isLess = finding.rule.endsWith('-required')
  const sentence = lackingWords(nameOfPlace(subject.what, unionOf(gap)), names, isLess)
  const isBreaking = finding.level !== 'note'
  return {
    ...finding,
    message: isBreaking ? `${sentence}: ${consequenceOf(subject)}` : sentence,
    ...smallest(ones),
    cause: JSON.stringify([unionOf(gap).at(-1), names]),
    met: anyAt(unionOf(gap)),
  }
}

/** Affects some of the values at a place; counts cannot determine which. */
const anyAt = (path: Path): Met => ({
  ...{ root: true, path, kind: 'alternative', was: undefined, is: undefined, after: undefined },
  ...{ isPartial: true, isDeclared: true },
})

function smallest(ones: readonly Found[]): Pick<Finding, 'witness'> {
  const witnesses = ones.flatMap(({ finding }) => finding.witness ?? [])
  const [witness] = witnesses.toSorted((one, other) => bySize(one.value, other.value))
  return witness === undefined ? {} : { witness }
}

/** Removes the members that only the gathering uses. */
const plain = ({
  part: _,
  place: __,
  cause: ___,
  subject: ____,
  met: _____,
  sentence,
  ...finding
}: Change): Finding => ({
  ...finding,
  message: sentence ?? finding.message,
})
