import type { Plain } from '../../schema/contain/declared-only.js'

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number

/** A value that may fulfil the schema: it follows types, bounds and declarations, and takes one way through each union. */
export function sampleOf(schema: Plain, random: Random, depth = 0): unknown {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  if (typeof schema === 'boolean' || depth > 5) return pick(ANYTHING)
  const own = merged(schema, random)
  if (Object.hasOwn(own, 'const')) return own.const
  if (Array.isArray(own.enum) && own.enum.length > 0) return pick(own.enum)
  const types = [own.type ?? guessed(own)].flat()
  const number = (key: string) => (typeof own[key] === 'number' ? (own[key] as number) : undefined)
  switch (pick(types)) {
    case 'null':
      return null
    case 'boolean':
      return random() < 0.5
    case 'integer':
    case 'number': {
      const places = BOUNDS.flatMap((key) => number(key) ?? [])
      return (pick([...places, 0, 1, 3]) ?? 0) + (pick([0, 0, 1, -1, 0.5]) ?? 0)
    }
    case 'string': {
      const length = pick([number('minLength'), number('maxLength'), 0, 1, 2]) ?? 1
      return Array.from({ length: Math.min(length, 5) }, () => pick(['a', 'b', 'x'])).join('')
    }
    case 'array': {
      const length = Math.min(4, pick([number('minItems'), number('maxItems'), 0, 1, 2]) ?? 1)
      const places = (own.prefixItems ?? []) as readonly Plain[]
      return Array.from({ length }, (_, index) => {
        const item = places[index] ?? (own.items as Plain | undefined) ?? true
        const wanted = own.contains as Plain | undefined
        return sampleOf(wanted !== undefined && random() < 0.5 ? wanted : item, random, depth + 1)
      })
    }
    default:
      return objectOf(own, random, depth)
  }
}

type Keywords = Readonly<Record<string, unknown>>

function objectOf(own: Keywords, random: Random, depth: number): unknown {
  const properties = (own.properties ?? {}) as Readonly<Record<string, Plain>>
  const required = (own.required ?? []) as readonly string[]
  const chance = random()
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || random() < chance,
  )
  const others = own.additionalProperties as Plain | undefined
  const more = others !== undefined && others !== false && random() < 0.4 ? ['x', 'ab'] : []
  const all = [...new Set([...names, ...required, ...more])]
  return Object.fromEntries(
    all.map((name) => [name, sampleOf(properties[name] ?? others ?? true, random, depth + 1)]),
  )
}

/** The keywords of the schema with those of its terms and of one alternative of each union; the last one says most. */
function merged(schema: Keywords, random: Random): Keywords {
  const parts = (schema.allOf ?? []) as readonly Plain[]
  const unions = ['anyOf', 'oneOf'].flatMap((keyword) => {
    const list = (schema[keyword] ?? []) as readonly Plain[]
    return list.length > 0 ? [list[Math.floor(random() * list.length)] as Plain] : []
  })
  const chosen = random() < 0.5 ? schema.then : schema.else
  const all = [...parts, ...unions, ...(chosen === undefined ? [] : [chosen as Plain])]
  let made: Keywords = schema
  for (const part of all) {
    if (typeof part === 'boolean') continue
    const other = merged(part, random)
    made = {
      ...made,
      ...other,
      properties: { ...(made.properties as object), ...(other.properties as object) },
      required: [...((made.required ?? []) as []), ...((other.required ?? []) as [])],
    }
  }
  return made
}

const guessed = (own: Keywords): string => {
  const keys = Object.keys(own)
  if (keys.some((key) => /ropert|required|dependent/.test(key))) return 'object'
  if (keys.some((key) => /[iI]tems|ontains/.test(key))) return 'array'
  if (keys.some((key) => /Length|pattern/.test(key))) return 'string'
  return keys.some((key) => /imum|multiple/.test(key)) ? 'number' : 'null'
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

const ANYTHING: readonly unknown[] = [0, 1, 0.5, '', 'a', 'ab', true, null, [], {}, { a: 1 }, ['a']]
