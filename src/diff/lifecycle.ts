import { type Day, dayOf } from '../model/day.js'
import type { Finding } from '../model/finding.js'
import type { Source } from '../schema/source.js'
import { inSentence } from '../text/escape.js'
import { change, type Places } from './change.js'
import type { DiffRuleId } from './rules.js'

/** Changes of `deprecated` and `x-sunset` of an operation, a parameter or a property. */
export function* lifecycleChanges(
  kind: 'operation' | 'parameter' | 'property',
  what: string,
  before: Life,
  after: Life,
  today: Day,
): Generator<Finding> {
  const places = (member: string) => ({
    before: before.source.locate(member),
    after: after.source.locate(member),
  })
  if (before.deprecated && !after.deprecated) {
    yield change(`${kind}-reactivated`, places('deprecated'), `${what} is no longer deprecated`)
  }
  if (!after.deprecated) return
  if (!before.deprecated) {
    const until = after.sunset === undefined ? '' : `, until ${after.sunset}`
    yield change(`${kind}-deprecated`, places('deprecated'), `${what} is deprecated now${until}`)
    if (after.sunset === undefined) {
      const message = `${what} is deprecated without an x-sunset: callers cannot tell how long it remains`
      yield change('sunset-is-missing', places('deprecated'), message)
    } else yield* sunsetChanges(what, undefined, after.sunset, today, places('x-sunset'))
    return
  }
  if (before.sunset === after.sunset) return
  if (after.sunset === undefined) {
    const message = `${what} is still deprecated but no longer has an x-sunset: callers planned for ${before.sunset}`
    yield change('sunset-removed', places('deprecated'), message)
    return
  }
  yield* sunsetChanges(what, before.sunset, after.sunset, today, places('x-sunset'))
}

export type Life = {
  readonly deprecated: boolean
  /** The text in the document. */
  readonly sunset?: string | undefined
  readonly source: Source
}

function* sunsetChanges(
  what: string,
  before: string | undefined,
  after: string,
  today: Day,
  places: Places,
): Generator<Finding> {
  const day = dayOf(after)
  const promised = before === undefined ? undefined : dayOf(before)
  const wrong = day === undefined ? after : promised === undefined ? before : undefined
  if (wrong !== undefined) {
    const subject = `the x-sunset of ${what} ${wrong === after ? 'is' : 'was'} ${inSentence(wrong)}`
    const message = `${subject}, which is not a date: callers cannot plan for it`
    yield change('sunset-is-no-date', places, message)
    return
  }
  if (day === undefined) return
  const isEarlier = promised !== undefined && day < promised
  if (day < today && (promised === undefined || isEarlier)) {
    const message = `${what} has the x-sunset ${day}, which is in the past: callers have no time to move`
    yield change('sunset-is-past', places, message)
  } else if (isEarlier) {
    const message = `${what} ends on ${day} now, earlier than ${promised}, which callers were promised`
    yield change('sunset-moved-earlier', places, message)
  }
}

/** Classifies a removal by the lifecycle that was declared before. */
export function removal(life: Omit<Life, 'source'>, today: Day): Removal {
  if (!life.deprecated) return { kind: 'undeprecated' }
  if (life.sunset === undefined) return { kind: 'in-time', text: 'it was deprecated' }
  const day = dayOf(life.sunset)
  if (day === undefined) return { kind: 'no-date', sunset: life.sunset }
  return today < day
    ? { kind: 'too-early', day }
    : { kind: 'in-time', text: `its x-sunset was ${day}` }
}

/** The finding of a removed operation or parameter. `rule` applies if it was not deprecated. */
export function withdrawal(
  kind: 'operation' | 'parameter',
  what: string,
  places: Places,
  fate: Removal,
  {
    rule,
    words = '',
    loss,
  }: { readonly rule: DiffRuleId; readonly words?: string; readonly loss: string },
): Finding {
  const removed = `${what} is removed`
  switch (fate.kind) {
    case 'undeprecated':
      return change(rule, places, `${removed}${words}: ${loss}`)
    case 'too-early': {
      const message = `${removed} before its x-sunset ${fate.day}: ${loss}`
      return change(`${kind}-removed-before-sunset`, places, message)
    }
    case 'no-date': {
      return change('sunset-is-no-date', places, removedWithoutDate(what, fate.sunset))
    }
    case 'in-time':
      return change(`${kind}-removed-after-deprecation`, places, `${removed}: ${fate.text}`)
  }
}

/** The message of a removal whose day nobody could know. */
export const removedWithoutDate = (what: string, sunset: string): string =>
  `${what} is removed, and its x-sunset was ${inSentence(sunset)}, which is not a date: callers could not plan for it`

type Removal =
  | { readonly kind: 'undeprecated' }
  | { readonly kind: 'no-date'; readonly sunset: string }
  | { readonly kind: 'too-early'; readonly day: Day }
  | { readonly kind: 'in-time'; readonly text: string }
