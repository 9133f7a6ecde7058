import fc, { type Arbitrary } from 'fast-check'
import { compilePattern } from '../../runtime/validate.js'
import type { Joined } from './joined-schemas.js'
import { tidyNumber } from './tidy-number.js'

/** Small values of each JSON type, for what may be anything. */
export const anyJson: Arbitrary<unknown> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string({ maxLength: 6 }), { maxLength: 3 }),
  fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.integer({ min: 0, max: 9 }), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
)

/** Texts as a pattern, a format or a length asks. Undefined where a pattern asks for more than can be generated: looking ahead and behind, and what was matched before. */
export const textOf = (whole: Joined): Arbitrary<string> | undefined => {
  const { patterns, format, minLength, maxLength } = whole
  const [pattern] = patterns
  if (pattern !== undefined) return matching(pattern, maxLength)
  const made = format === undefined ? undefined : FORMATS[format]?.()
  if (made !== undefined) return made
  if (minLength > maxLength || minLength > LONGEST) return undefined
  const bounds = { minLength, maxLength: Math.min(maxLength, minLength + 24) }
  const plain = fc.string(bounds)
  // A grapheme may be several characters, which a bound from above counts.
  if (Number.isFinite(maxLength)) return plain
  const any = fc.string({ ...bounds, unit: 'grapheme' })
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: any })
}

const LONGEST = 20_000

const matching = (pattern: string, maxLength: number): Arbitrary<string> | undefined => {
  const key = `${maxLength} ${pattern}`
  if (!matched.has(key)) matched.set(key, toMatch(pattern, maxLength))
  return matched.get(key)
}

/** Documents write the same few patterns again and again, and each takes its time to be read. */
const matched = new Map<string, Arbitrary<string> | undefined>()

const toMatch = (pattern: string, maxLength: number): Arbitrary<string> | undefined => {
  try {
    return fc.stringMatching(
      compilePattern(pattern),
      Number.isFinite(maxLength) ? { maxLength } : {},
    )
  } catch {
    return undefined
  }
}

/** What a format asks is told and not checked, but a server may well ask it. */
const FORMATS: Readonly<Record<string, () => Arbitrary<string>>> = {
  uuid: () => fc.uuid(),
  'date-time': () => moments.map((date) => date.toISOString()),
  date: () => moments.map((date) => date.toISOString().slice(0, 10)),
  email: () => fc.emailAddress(),
  uri: () => fc.webUrl(),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
}

/** A year has four digits (RFC 3339, 5.6), and few servers mean others than these. */
const moments = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })

/** Numbers within the bounds, most of them whole, and multiples where that is asked; undefined where there are none. */
export const numberOf = (
  { minimum, maximum, multipleOf }: Joined,
  type: 'number' | 'integer',
): Arbitrary<number> | undefined => {
  const unit = multipleOf ?? 1
  const bound = Number.isFinite(minimum) ? minimum : Number.isFinite(maximum) ? maximum : 0
  const around = Math.min(Math.max(bound, -BIGGEST), BIGGEST)
  const least = Math.ceil(Math.max(minimum, around - SPAN * unit, -BIGGEST) / unit)
  const most = Math.floor(Math.min(maximum, around + SPAN * unit, BIGGEST) / unit)
  const whole = least > most ? undefined : fc.integer({ min: least, max: most })
  const steps = whole?.map((count) => tidyNumber(count * unit))
  if (type === 'integer' || multipleOf !== undefined) return steps
  const min = Math.max(minimum, -BIGGEST)
  const max = Math.min(maximum, BIGGEST)
  if (min > max) return undefined
  const fractions = fc.double({ min, max, noNaN: true }).map((one) => one + 0)
  return steps === undefined ? fractions : fc.oneof({ weight: 3, arbitrary: steps }, fractions)
}

const SPAN = 1_000_000
const BIGGEST = Number.MAX_SAFE_INTEGER
