import { isDeepStrictEqual } from 'node:util'
import { isBigint } from '../schema/bigints.js'
import type { Declared } from '../schema/contain/annotations.js'
import type { Selection } from '../schema/discriminator.js'
import { numbersOfFormat } from '../schema/formats.js'
import { CONTENT } from '../schema/keywords.js'
import { rangeOf } from '../schema/number-range.js'
import { type Source, sourceOf } from '../schema/source.js'
import { type Change, change } from './change.js'
import { type Life, lifecycleChanges, removal, removedWithoutDate } from './lifecycle.js'
import { schemaRule } from './schema-rules.js'
import { valuesOf, valueText } from './schema-words.js'
import { type DiffContext, locateConstraint, nameOfPlace, type Subject } from './subject.js'

/** Different declarations of two versions at one place, even if both accept the same values. */
export function* declaredFindings(
  { today }: DiffContext,
  subject: Subject,
  { kind, path, before, after }: Declared,
): Generator<Change> {
  const { direction } = subject
  const isRequest = direction === 'request'
  const what = nameOfPlace(subject.what, path)
  const places = (keyword?: string) => ({
    before: locateConstraint({ ...before, keyword }, subject.before),
    after: locateConstraint({ ...after, keyword }, subject.after),
  })
  /** The cause is the message without the name of the place, so the same change at several places is reported once. */
  const finding = (id: string, message: (what: string) => string, keyword?: string): Change => {
    const { level, advice } = schemaRule(`${direction}-${id}`)
    const { before, after } = places(keyword)
    return {
      rule: `${direction}-${id}`,
      level,
      location: after,
      before,
      message: message(what),
      ...(advice !== undefined && { advice }),
      cause: JSON.stringify([path.at(-1), message('')]),
      subject: subject.what,
    }
  }
  const changed = (member: string) => (what: string) =>
    `the ${member} of ${what} is ${valueText(after.says)} now, and was ${valueText(before.says)}`
  const access = accessChange(direction, { kind, before, after })
  if (access && path.length > 0) yield finding(access.id, (what) => `${what} ${access.words}`)
  switch (kind) {
    case 'property-added':
      yield finding(kind, (what) => `${what} is new`)
      break
    case 'property-removed': {
      const schema = before.node?.schema
      const life = typeof schema === 'object' ? schema : {}
      const sunset = typeof life['x-sunset'] === 'string' ? life['x-sunset'] : undefined
      const fate = removal({ deprecated: life.deprecated === true, sunset }, today)
      const loss = isRequest ? 'the service ignores or rejects it' : 'clients no longer receive it'
      if (fate.kind === 'in-time') {
        yield finding(
          'property-removed-after-deprecation',
          (what) => `${what} is removed: ${fate.text}`,
        )
      } else if (fate.kind === 'no-date') {
        yield change('sunset-is-no-date', places(), removedWithoutDate(what, fate.sunset))
      } else {
        const when = fate.kind === 'too-early' ? ` before its x-sunset ${fate.day}` : ''
        yield finding(kind, (what) => `${what} is removed${when}: ${loss}`)
      }
      break
    }
    case 'life':
      if (path.length > 0) {
        const [was, is] = [lifeOf(before, subject.before), lifeOf(after, subject.after)]
        yield* lifecycleChanges('property', what, was, is, today)
      }
      break
    case 'default':
      if (subject.isDefaultReported && path.length === 0) break
      yield finding('default-changed', changed('default'))
      break
    case 'format': {
      const id =
        before.says === undefined ? 'added' : after.says === undefined ? 'removed' : 'changed'
      const lost = isRequest ? lostNumber(before, after) : undefined
      if (lost === undefined) yield finding(`format-${id}`, changed('format'))
      else
        yield finding(
          'format-narrowed',
          (what) => `${changed('format')(what)}: callers who send ${lost} may be rejected`,
        )
      break
    }
    case 'bigint': {
      const [was, is] = [codeType(before), codeType(after)]
      if (was === is) break
      const loss = 'code that uses a generated client no longer compiles'
      yield finding(
        'bigint-changed',
        (what) => `${what} is a ${is} in code now, and was a ${was}: ${loss}`,
        'x-bigint',
      )
      break
    }
    case 'discriminator': {
      const versions = [before.says, after.says] as [Selection?, Selection?]
      for (const { id, message } of discriminatorChanges(direction, ...versions)) {
        yield finding(id, message, 'discriminator')
      }
      break
    }
    case 'content': {
      const [was, is] = [before.says, after.says] as readonly Readonly<Record<string, unknown>>[]
      for (const keyword of CONTENT) {
        if (isDeepStrictEqual(was?.[keyword], is?.[keyword])) continue
        const words = `is ${valueText(is?.[keyword])} now, and was ${valueText(was?.[keyword])}`
        yield finding('content-changed', (what) => `the ${keyword} of ${what} ${words}`)
      }
      break
    }
    case 'closed':
      yield finding(
        'object-closed',
        (what) => `${what} can no longer have properties that are not declared`,
      )
      break
    case 'opened':
      yield finding(
        'object-opened',
        (what) => `${what} can have properties now that are not declared`,
      )
      break
    case 'undeclared-narrowed': {
      const loss = isRequest ? ': callers who send such may be rejected' : ''
      yield finding(
        kind,
        (what) =>
          `${what} restricts properties or items that are not declared (${after.says})${loss}`,
      )
      break
    }
    case 'undeclared-widened': {
      const loss = isRequest ? '' : ': clients may receive other values there'
      yield finding(
        kind,
        (what) =>
          `${what} no longer restricts properties or items that are not declared (${before.says})${loss}`,
      )
      break
    }
    case 'unread': {
      // Only what the other side demands or sends more than before affects it.
      const unread = (isRequest ? after : before).says as
        | Readonly<Record<string, unknown[]>>
        | undefined
      for (const [keyword, values] of Object.entries(unread ?? {})) {
        const verb = isRequest ? 'is' : 'was'
        yield finding(
          'change-is-undecided',
          (what) =>
            `cannot decide whether this breaks anybody: the ${keyword} of ${what} ${verb} ${valuesOf(values)}, which could not be read`,
          keyword,
        )
      }
      break
    }
    case 'extensible-value-removed':
      yield finding(
        kind,
        (what) => `${what} no longer lists ${valuesOf(before.says)} among its known values`,
      )
      break
    case 'read-only':
    case 'write-only':
      break
  }
}

/** A number that the old format and the old keywords allow, and the new format does not; undefined if there is none. */
const lostNumber = (before: Declared['before'], after: Declared['after']): number | undefined => {
  const [was, is] = [numbersOfFormat(before.says), numbersOfFormat(after.says)]
  if (was === undefined || is === undefined) return undefined
  const own = rangeOf(before.node === undefined ? [] : [before.node])
  const [low, high] = [Math.max(was.low, own.low), Math.min(was.high, own.high)]
  // Beyond the precision of a double, the next integer is the same number.
  if (high > is.high) return is.high + 1 > is.high ? Math.min(high, is.high + 1) : high
  if (low < is.low) return is.low - 1 < is.low ? Math.max(low, is.low - 1) : low
  return undefined
}

/** The type of an integer in generated code. */
const codeType = ({ node }: Declared['before']): 'bigint' | 'number' =>
  typeof node?.schema === 'object' && isBigint(node.schema) ? 'bigint' : 'number'

const lifeOf = ({ node, says }: Declared['before'], user: Source): Life => {
  const { deprecated = false, 'x-sunset': sunset } = (says ?? {}) as Record<string, unknown>
  const source = node && sourceOf(node.schema)
  return {
    deprecated: deprecated === true,
    sunset: typeof sunset === 'string' ? sunset : undefined,
    source: source ?? user,
  }
}

/** Changes of a discriminator: the end of the rule's id, and the message for the name of its schema. */
function* discriminatorChanges(
  direction: 'request' | 'response',
  before: Selection | undefined,
  after: Selection | undefined,
): Generator<{ readonly id: string; readonly message: (what: string) => string }> {
  if (!before || !after) {
    if (after) {
      const name = `\`${after.propertyName}\``
      yield {
        id: 'discriminator-added',
        message: (what) => `${what} has a discriminator now: the property ${name}`,
      }
    } else if (before) {
      const loss =
        direction === 'request'
          ? ''
          : ': clients that choose an alternative by it have to find another way'
      const name = `\`${before.propertyName}\``
      yield {
        id: 'discriminator-removed',
        message: (what) =>
          `${what} no longer has a discriminator; it was the property ${name}${loss}`,
      }
    }
    return
  }
  if (before.propertyName !== after.propertyName) {
    const change = `is the property \`${after.propertyName}\` now, not \`${before.propertyName}\``
    yield {
      id: 'discriminator-property-changed',
      message: (what) =>
        `${ownerIn(what)} ${change}: the old property no longer selects the alternative`,
    }
    return
  }
  const [were, are] = [before, after].map(({ selected }) => new Set(Object.values(selected)))
  for (const [value, name] of Object.entries(before.selected)) {
    const now = Object.hasOwn(after.selected, value) ? after.selected[value] : undefined
    const isRenamed = now !== undefined && !were?.has(now) && !are?.has(name)
    if (now === undefined || now === name || isRenamed) continue
    const change = `means the schema \`${now}\` now, not \`${name}\``
    yield {
      id: 'discriminator-value-changed',
      message: (what) => `the value \`${value}\` of ${ownerIn(what)} ${change}`,
    }
  }
  const [removed, added] = [without(before, after), without(after, before)]
  if (removed !== '') {
    const loss = direction === 'request' ? ': callers who send it may be rejected' : ''
    yield {
      id: 'discriminator-value-removed',
      message: (what) => `${ownerIn(what)} no longer has ${removed}${loss}`,
    }
  }
  if (added !== '') {
    const loss = direction === 'request' ? '' : ': clients may not know it'
    yield {
      id: 'discriminator-value-added',
      message: (what) => `${ownerIn(what)} now has ${added}${loss}`,
    }
  }
}

/** The values that only one version has, as text. */
function without(one: Selection, other: Selection): string {
  const values = Object.keys(one.selected).filter((value) => !Object.hasOwn(other.selected, value))
  const [first, ...more] = values.map((value) => `\`${value}\``)
  if (first === undefined) return ''
  return more.length === 0 ? `the value ${first}` : `the values ${[first, ...more].join(', ')}`
}

const ownerIn = (what: string) => `the discriminator of ${what}`

/** The effect of a change of `readOnly` or `writeOnly` in one direction. */
export function accessChange(
  direction: 'request' | 'response',
  { kind, before, after }: Pick<Declared, 'kind' | 'before' | 'after'>,
): AccessChange | undefined {
  if (kind !== 'read-only' && kind !== 'write-only') return undefined
  const [was, is] = [before.says === true, after.says === true]
  if (was === is) return undefined
  const id = `property-${is ? 'became' : 'no-longer'}-${kind}`
  const loss = LOSSES[`${direction}-${id}`]
  const words = `is ${is ? kind : `no longer ${kind}`}${is ? ' now' : ''}${loss === undefined ? '' : `: ${loss}`}`
  return { id, words, isLoss: loss !== undefined }
}

type AccessChange = {
  readonly id: string
  readonly words: string
  /** Whether the property is lost in this direction. */
  readonly isLoss: boolean
}

const LOSSES: Readonly<Record<string, string>> = {
  'request-property-became-read-only': 'the service ignores or rejects it in requests',
  'response-property-became-write-only': 'clients no longer receive it',
}
