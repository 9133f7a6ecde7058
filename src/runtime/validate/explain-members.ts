import type { Reading, SchemaKeywords } from '../validate.js'
import { type Asked, ask, askedBy, askedOf, forbiddenBy, refuse } from './asked-property.js'
import { pass } from './check-value.js'
import { type Complaints, complain, isFull, type Place } from './complaint.js'
import type { Holds } from './holds.js'
import { compilePattern, has, type JsonObject } from './json-value.js'
import { isSkipped } from './schema-source.js'
import { property } from './wording.js'

/** What properties must be there, and what each of them must be. */
export const explainMembers = (
  schema: SchemaKeywords,
  reading: Reading,
): readonly ExplainProperties[] => {
  const { required = [], properties = {}, patternProperties, additionalProperties: rest } = schema
  const known = new Map(
    Object.entries(properties).map(([name, each]) => [name, askedOf(name, each, reading)]),
  )
  const isOpen = rest === undefined || rest === true || isSkipped(rest, reading)
  const forbidden = rest === false ? 'additionalProperties' : forbiddenBy(rest ?? true)
  const members: Members = {
    required,
    known,
    patterns: Object.entries(patternProperties ?? {}).map(([source, each]) => [
      compilePattern(source),
      askedBy(each, reading),
    ]),
    other: isOpen ? undefined : askedBy(rest, reading, forbidden),
  }
  const { patterns, other } = members
  if (required.length + known.size + patterns.length === 0 && other === undefined) return []
  return [patterns.length === 0 ? explainAtALook(members) : explainEach(members)]
}

export type ExplainProperties = (value: JsonObject, place: Place, out: Complaints) => void

type Members = {
  readonly required: readonly string[]
  readonly known: ReadonlyMap<string, Asked>
  readonly patterns: readonly (readonly [RegExp, Asked])[]
  /** What is asked of all others, if anything. */
  readonly other: Asked | undefined
}

const explainMissing = (required: readonly string[]): ExplainProperties => {
  const needs = required.map((name) => ({
    need: `have the property ${property(name)}`,
    params: { property: name },
  }))
  return (object, place, out) => {
    for (const { need, params } of needs) {
      if (has(object, params.property)) continue
      complain(out, { place, keyword: 'required', need, params })
    }
  }
}

/** What is missing first, then what is wrong, in document order. */
const explainEach = ({ required, known, patterns, other }: Members): ExplainProperties => {
  const missing = explainMissing(required)
  return (object, place, out) => {
    missing(object, place, out)
    for (const key in object) {
      if (isFull(out)) return
      if (!has(object, key)) continue
      const own = known.get(key)
      if (own !== undefined) ask(own, object, key, place, out)
      let isDeclared = own !== undefined
      for (const [pattern, each] of patterns) {
        if (!pattern.test(key)) continue
        isDeclared = true
        ask(each, object, key, place, out)
      }
      if (!isDeclared && other !== undefined) ask(other, object, key, place, out)
    }
  }
}

/**
 * The same where no names are matched with patterns: all properties are looked at before anything is reported of those that do not hold.
 * Objects of a kind have their properties in one order, mostly: a name is looked up only where another was there before.
 */
const explainAtALook = (members: Members): ExplainProperties => {
  const { required, known, other } = members
  const needed = new Set(required)
  const memberOf = (name: string): Member => {
    const asked = known.get(name) ?? other
    return {
      name,
      counts: needed.has(name) ? 1 : 0,
      asked,
      holds: asked === undefined ? pass : asked.holds,
    }
  }
  const named = new Map([...needed, ...known.keys()].map((name) => [name, memberOf(name)]))
  const undeclared = memberOf('')
  const order: Member[] = []
  const explain = explainEach(members)
  const missing = explainMissing(required)
  return (object, place, out) => {
    if (out.isCareful) return explain(object, place, out)
    let at = 0
    let found = 0
    let doubted: string | undefined
    let asked: Asked | undefined
    let others: Doubt[] | undefined
    let isCut = false
    for (const key in object) {
      const value = object[key]
      if (value === undefined) continue
      let member = order[at]
      if (member === undefined || member.name !== key) {
        member = named.get(key) ?? undeclared
        if (member !== undeclared && at < named.size) order[at] = member
      }
      at++
      found += member.counts
      const { holds } = member
      if (holds?.(value)) continue
      if (doubted === undefined) {
        doubted = key
        asked = member.asked
      } else if (others === undefined) others = [[key, member.asked]]
      else if (others.push([key, member.asked]) > mostDoubts) {
        isCut = true
        break
      }
    }
    if (isCut || found < needed.size) missing(object, place, out)
    if (doubted !== undefined) tell(asked, object, doubted, place, out)
    if (others !== undefined)
      for (const [key, asked] of others) tell(asked, object, key, place, out)
    // Doubts that came to nothing leave space for what was not looked at. Complaints are not repeated.
    if (isCut && !isFull(out)) explain(object, place, out)
  }
}

/** A property that did not hold or was not asked. */
type Doubt = readonly [key: string, asked: Asked | undefined]

/** With more of them, not all will be reported. */
const mostDoubts = 100

const tell = (
  asked: Asked | undefined,
  object: JsonObject,
  key: string,
  place: Place,
  out: Complaints,
): void => {
  if (asked === undefined || isFull(out) || !Object.hasOwn(object, key)) return
  refuse(asked, object, key, place, out)
}

/** A name that a schema knows, and what is asked of its property. */
type Member = {
  readonly name: string
  /** 1 where it is required. */
  readonly counts: 0 | 1
  readonly asked: Asked | undefined
  /** Absent where that takes longer. */
  readonly holds: Holds | undefined
}
