import { isDeepStrictEqual } from 'node:util'
import type { Api, Source } from '../../model/api.js'
import type { Finding, Location } from '../../model/finding.js'
import { CONTENT } from '../../model/keywords.js'
import type { Schema } from '../../model/schema.js'
import { type Discriminator, sourceOf } from '../../model/schema-source.js'
import type { Declared } from '../compare/declared.js'
import { type Evidence, type Gap, type Path, pathText } from '../compare/gap.js'
import { createSchemaComparison, type SchemaComparison } from '../compare.js'
import { accessSaid } from './access-changes.js'
import { discriminatorChanges } from './discriminator-changes.js'
import { type Life, lifecycleChanges, removal } from './lifecycle.js'
import { CHANGES, type Direction, schemaRule } from './schema-rules.js'
import { wordsOf } from './schema-words.js'
import { typesTogether } from './types-together.js'
import { refusedNames, withoutRequired } from './unsatisfiable.js'

/** What two versions of one schema mean for callers or readers. */
export function* schemaFindings(
  context: DiffContext,
  subject: Subject,
  before: Schema,
  after: Schema,
): Generator<Finding> {
  const isRequest = subject.direction === 'request'
  const refused = refusedNames(
    ...(isRequest ? ([context.before, before] as const) : ([context.after, after] as const)),
  )
  if (refused.length === 0) {
    yield* satisfiableFindings(context, subject, before, after)
    return
  }
  // No value shows what changed: the properties are compared as if the names were not required.
  const findings = [
    ...satisfiableFindings(
      ...[context, subject, withoutRequired(context.before, before, refused)],
      withoutRequired(context.after, after, refused),
    ),
  ]
  if (findings.length === 0) return
  const [rule, where] = [schemaRule(`${subject.direction}-is-unsatisfiable`), named(subject, [])]
  const names = refused.map((name) => `\`${name}\``).join(', ')
  yield {
    ...{ rule: rule.id, level: rule.level },
    ...{ location: subject.after.locate(), before: subject.before.locate() },
    message: `no value is valid for ${where}: ${names} is required, but the object is closed and does not declare it`,
    ...(rule.advice !== undefined && { advice: rule.advice }),
  }
  for (const { witness, ...finding } of findings) {
    yield finding.level === 'error' ? { ...finding, level: 'warning' } : finding
  }
}

function* satisfiableFindings(
  context: DiffContext,
  subject: Subject,
  before: Schema,
  after: Schema,
): Generator<Finding> {
  const { comparison } = context
  const isRequest = subject.direction === 'request'
  const strict = subject.isText ? 'text' : 'strict'
  const breaking = isRequest
    ? comparison.narrowed(before, after, strict)
    : comparison.widened(before, after, subject.isText ? 'open-text' : 'open')
  const harmless = isRequest
    ? comparison.widened(before, after, strict)
    : comparison.narrowed(before, after, strict)
  const declared = firsts(comparison.declared(before, after), declaredPlace)
  // What may be sent no more need not be sent either: the first says all.
  const lost = new Set(
    declared
      .filter((one) => accessSaid(subject.direction, one)?.isLoss)
      .map(({ path }) => placeOf(path)),
  )
  const told = new Set<string>()
  const isTold = ({ kind, path, before, after }: Declared) => {
    const isOfOthers = before.says === OTHERS || after.says === OTHERS
    const place: Path = isOfOthers ? [...path, { kind: 'any-property' }] : path
    return REPEATED.test(kind) && told.has(placeOf(place))
  }
  for (const gap of firsts(typesTogether(breaking), gapPlace)) {
    told.add(placeOf(gap.path))
    yield ofGap(subject, gap, isRequest)
  }
  // The alternative that is meant no longer accepts it, and another one that overlooks it still does.
  const overlooked =
    isRequest || subject.isText ? [] : comparison.widened(before, after, 'open-meant')
  const reported = new Set(breaking.map((gap) => JSON.stringify([gap.path, gap.outer.node?.id])))
  for (const gap of firsts(typesTogether(overlooked), gapPlace)) {
    if (reported.has(JSON.stringify([gap.path, gap.outer.node?.id]))) continue
    if (told.has(placeOf(gap.path)) || (!gap.isCertain && !gap.witness)) continue
    told.add(placeOf(gap.path))
    yield ofGap(subject, { ...gap, isCertain: true, witness: undefined }, isRequest, 'warning')
  }
  for (const gap of firsts(typesTogether(harmless), gapPlace)) {
    // Of what is declared or not, the walk below tells.
    if (gap.kind === 'undeclared' || gap.kind === 'undecided') continue
    if (!gap.isCertain && !gap.witness) continue
    if (gap.kind === 'required') {
      if (gap.inner.says === undefined || lost.has(placeOf(gap.path))) continue
      told.add(placeOf(gap.path))
    }
    yield ofGap(subject, gap, !isRequest, 'note')
  }
  for (const one of declared) {
    if (isTold(one)) continue
    yield* ofDeclared(context, subject, one)
  }
}

/** A schema within itself, or in several places of a value, is told of where it stands first. */
function firsts<One extends { readonly path: Path }>(
  all: readonly One[],
  placeIn: (one: One) => readonly unknown[],
): readonly One[] {
  const found = new Map<string, One>()
  for (const one of all) {
    const key = JSON.stringify([one.path.at(-1), ...placeIn(one)])
    const first = found.get(key)
    if (!first || one.path.length < first.path.length) found.set(key, one)
  }
  return [...found.values()]
}

const gapPlace = ({ kind, inner, outer }: Gap) => [
  ...[kind, inner.node?.id, outer.node?.id],
  ...[outer.keyword, inner.says],
]

const declaredPlace = ({ kind, before, after }: Declared) => [kind, before.node?.id, after.node?.id]

/** What a gap at the same place has told already. */
const REPEATED = /^(property|undeclared|read|write)-/

const OTHERS = 'additionalProperties'

export type DiffContext = {
  readonly before: Api
  readonly after: Api
  readonly comparison: SchemaComparison
  /** Decides whether what was deprecated may go. */
  readonly today: string
}

export const createDiffContext = (before: Api, after: Api, today: string): DiffContext => ({
  before,
  after,
  today,
  comparison: createSchemaComparison(before, after),
})

export type Subject = {
  readonly direction: Direction
  /** `the param address of eth_getBalance`, `the body of POST /orders`. */
  readonly what: string
  /** What a breaking change means to the other side, where that is neither a caller nor a reader of responses. */
  readonly consequence?: string
  readonly before: Source
  readonly after: Source
  /** It is a parameter, a header or a form: its scalars are texts on the wire, whatever their types are. */
  readonly isText?: boolean
  /** A default of the whole has been told of already, as that of a parameter. */
  readonly defaultIsTold?: true
}

function ofGap(subject: Subject, gap: Gap, isLess: boolean, level?: 'note' | 'warning'): Finding {
  const { direction } = subject
  const isDecided = gap.isCertain || gap.witness !== undefined
  const kind = gap.kind === 'value' && gap.inner.says === undefined ? 'list' : gap.kind
  const isBreaking = level !== 'note'
  const rule = schemaRule(
    kind === 'undecided' || (isBreaking && !isDecided)
      ? `${direction}-change-is-undecided`
      : `${direction}-${CHANGES[kind][isLess ? 'less' : 'more']}`,
  )
  const [was, is] = isLess ? [gap.inner, gap.outer] : [gap.outer, gap.inner]
  const words = `${named(subject, gap.path)} ${wordsOf(gap, isLess)}`
  const whom = subject.consequence ?? CONSEQUENCES[direction]
  const message = isDecided
    ? isBreaking
      ? `${words}: ${whom}${gap.witness ? '' : level ? OVERLOOKED : ' (no witness found)'}`
      : words
    : `cannot tell whether this breaks anybody: ${words}`
  // An error has a value that shows it, or one that is too large to be shown.
  const isShown = gap.witness !== undefined || isTooLarge(gap)
  return {
    rule: rule.id,
    level: level ?? (isShown ? rule.level : 'warning'),
    location: locate(is, subject.after),
    before: locate(was, subject.before),
    message,
    ...(isBreaking && gap.witness && { witness: gap.witness }),
    ...(isBreaking && rule.advice !== undefined && { advice: rule.advice }),
  }
}

const isTooLarge = ({ kind, inner, outer }: Gap): boolean =>
  LENGTHS.has(kind) && Math.max(Number(inner.says ?? 0), Number(outer.says ?? 0)) > LARGE

const LENGTHS = new Set(
  'shortest longest fewest-items most-items fewest-properties most-properties'.split(' '),
)

/** Items, properties or characters. */
const LARGE = 100

const OVERLOOKED = ', although another alternative of the version before accepts it'

/** What a breaking change means to those on the other side. */
const CONSEQUENCES = {
  request: 'callers are refused',
  response: 'readers do not expect it',
} as const

function* ofDeclared(
  { today }: DiffContext,
  subject: Subject,
  { kind, path, before, after }: Declared,
): Generator<Finding> {
  const { direction } = subject
  const what = named(subject, path)
  const say = (id: string, message: string, keyword?: string): Finding => {
    const { level, advice } = schemaRule(`${direction}-${id}`)
    return {
      rule: `${direction}-${id}`,
      level,
      location: locate({ ...after, keyword }, subject.after),
      before: locate({ ...before, keyword }, subject.before),
      message,
      ...(advice !== undefined && { advice }),
    }
  }
  const access = accessSaid(direction, { kind, before, after })
  if (access && path.length > 0) yield say(access.id, `${what} ${access.words}`)
  if (kind === 'property-added') yield say(kind, `${what} is new`)
  if (kind === 'property-removed') {
    const schema = before.node?.schema
    const life = typeof schema === 'object' ? schema : {}
    const sunset = typeof life['x-sunset'] === 'string' ? life['x-sunset'] : undefined
    const fate = removal({ deprecated: life.deprecated === true, sunset }, today)
    const loss =
      direction === 'request' ? 'what callers send in it is lost' : 'readers find it no more'
    if (fate.kind === 'in-time') {
      yield say('property-removed-after-deprecation', `${what} is gone: ${fate.told}`)
    } else yield say(kind, `${what} is gone: ${loss}`)
  }
  if (kind === 'life' && path.length > 0) {
    const life = ({ node, says }: Declared['before'], user: Source): Life => {
      const { deprecated = false, 'x-sunset': sunset } = (says ?? {}) as Record<string, unknown>
      const source = node && sourceOf(node.schema)
      return {
        deprecated: deprecated === true,
        sunset: typeof sunset === 'string' ? sunset : undefined,
        source: source ?? user,
      }
    }
    const [was, is] = [life(before, subject.before), life(after, subject.after)]
    yield* lifecycleChanges('property', what, was, is, today)
  }
  if (kind === 'default' && !(subject.defaultIsTold && path.length === 0)) {
    const words = `the default of ${what} was ${said(before.says)} and is ${said(after.says)}`
    yield say('default-changed', words)
  }
  if (kind === 'format') {
    const words = `the format of ${what} was ${said(before.says)} and is ${said(after.says)}`
    const id =
      before.says === undefined ? 'added' : after.says === undefined ? 'removed' : 'changed'
    yield say(`format-${id}`, words)
  }
  if (kind === 'discriminator') {
    const versions = [before.says, after.says] as [Discriminator?, Discriminator?]
    for (const { id, message } of discriminatorChanges(direction, what, ...versions)) {
      yield say(id, message, 'discriminator')
    }
  }
  if (kind === 'content') yield* contentChanges(what, before.says, after.says, say)
  if (kind === 'closed') {
    yield say('object-closed', `${what} is closed: a property that it does not declare is refused`)
  }
  if (kind === 'opened') {
    yield say(
      'object-opened',
      `${what} is open: a property that it does not declare is no longer refused`,
    )
  }
  if (kind === 'undeclared-narrowed') {
    const words = `${what} has ${after.says}, which bounds what nobody declared before`
    yield say(
      kind,
      direction === 'request' ? `${words}: callers who send such may be refused` : words,
    )
  }
  if (kind === 'undeclared-widened') {
    const words = `${what} no longer has ${before.says}, which bounded what nobody declares`
    yield say(
      kind,
      direction === 'request' ? words : `${words}: readers may get other things there`,
    )
  }
  if (kind === 'extensible-value-removed') {
    yield say(kind, `${what} is no longer told to be ${said(before.says)}`)
  }
}

function* contentChanges(
  what: string,
  before: unknown,
  after: unknown,
  say: (id: string, message: string) => Finding,
): Generator<Finding> {
  const [was, is] = [before, after] as readonly Readonly<Record<string, unknown>>[]
  for (const keyword of CONTENT) {
    if (isDeepStrictEqual(was?.[keyword], is?.[keyword])) continue
    const told = `was ${said(was?.[keyword])} and is ${said(is?.[keyword])}`
    yield say('content-changed', `the ${keyword} of ${what} ${told}: it is read otherwise`)
  }
}

const said = (says: unknown) => (says === undefined ? 'none' : JSON.stringify(says))

const named = ({ what }: Subject, path: Path): string =>
  path.length === 0 ? what : `${pathText(path)} of ${what}`

const placeOf = (path: Path): string => JSON.stringify(path)

/** Where a schema says it; one that no document holds is told of where its user stands. */
function locate({ node, keyword }: Omit<Evidence, 'says'>, user: Source): Location {
  const source = node && sourceOf(node.schema)
  if (!source) return user.locate()
  return keyword === undefined ? source.locate() : source.locate(keyword)
}
