import { STATUS_CODES } from 'node:http'
import type { Api, HttpOperation } from '../model/api.js'
import type { HttpResponse, MediaType } from '../model/http-content.js'
import { isObject } from '../model/json.js'
import { httpParts, isPart } from '../model/operation-parts.js'
import { holdsValue, isPlainText, isStructuredType } from '../runtime/shared/codecs.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { concreteOf } from '../runtime/wire/content.js'
import {
  type ErrorSample,
  type ErrorSamples,
  isFact,
  isProblem,
  makeErrorBody,
} from '../runtime/wire/error-body.js'
import { type Checker, createChecker } from '../schema/check.js'
import type { Sampler } from '../schema/readable.js'
import { acceptsAnyText, dereference, type Schema, type Schemas } from '../schema/schema.js'
import { createAnswerSampler } from './documented.js'
import { code, type Fragment, literal } from './file.js'

/**
 * The bodies that a server fills in to reject requests: for each error response whose schema accepts no common shape, a valid
 * example, else a sample.
 */
export function errorSamples(
  api: Api,
  checker: Checker = createChecker(api.schemas),
  sampler: Sampler = createAnswerSampler(api),
): ErrorSamples {
  const tools = { schemas: api.schemas, checker, sampler }
  const samples = api.operations.flatMap((operation) => {
    if (operation.kind !== 'http') return []
    const own = operation.responses
      .filter(({ status }) => /^[45d]/.test(status))
      .flatMap((response) => samplesOf(operation, response, tools))
    return own.length === 0 ? [] : [[operation.id, Object.fromEntries(own)] as const]
  })
  return Object.fromEntries(samples)
}

/** The member `errors` of a generated service; none if every error has a common shape. */
export function errorMembers(api: Api): readonly Fragment[] {
  const samples = errorSamples(api)
  return Object.keys(samples).length === 0 ? [] : [code`errors: ${literal(samples, 14, 6)},`]
}

const samplesOf = (
  operation: HttpOperation,
  { status, content }: HttpResponse,
  tools: Tools,
): readonly (readonly [string, ErrorSample])[] => {
  const { responses } = httpParts(operation)
  const isShared = responses !== undefined && !isPart(responses) && Object.hasOwn(responses, status)
  return content.flatMap((media) => {
    const value = sampleOf(status, media, tools)
    const key = isShared && holdsValue(media.codec) ? status : `${status} ${media.type}`
    return value === undefined ? [] : [[key, { value }] as const]
  })
}

/**
 * The body of an error that no fact is known about: a valid example, else the sample with the least that is made up. Undefined
 * if there is neither, and if a common shape or the message of the error serves.
 */
const sampleOf = (
  status: string,
  { type, codec, schema, examples, stream }: MediaType,
  tools: Tools,
): unknown => {
  if (stream !== undefined) return undefined
  const { check } = tools.checker.schema(schema)
  const values = examples.map(({ value }) => value)
  if (holdsValue(codec) || codec === 'any') {
    const written = concreteOf(type, {}) ?? type
    if (schema === true || makeErrorBody(COMMON, written, check) !== undefined) return undefined
    return values.find(check) ?? sampleError({ status, type }, schema, tools)
  }
  if (codec !== 'text') return undefined
  if (isStructuredType(type)) return values.find((value) => typeof value === 'string')
  if (isPlainText(type) && acceptsAnyText(schema)) return undefined
  const made = tools.sampler(schema)
  return values.find(check) ?? (typeof made === 'object' ? undefined : made)
}

const COMMON = { status: 400, message: 'The request is not valid' }

type Tools = {
  readonly schemas: Schemas
  readonly checker: Checker
  readonly sampler: Sampler
}

/**
 * A sample of an error: of those of each alternative, the one with the fewest members that no fact replaces. A required member is
 * `null`, an empty list or the name of the status where its schema allows that: `retryAfter: 1` would tell callers something
 * that nobody knows. Undefined if no value is found.
 */
export const sampleError = (
  place: Place,
  schema: Schema,
  { schemas, checker, sampler }: Tools,
): unknown => {
  const { check } = checker.schema(schema)
  const samples = alternatives(schema, schemas).flatMap((one) => {
    const sample = sampler(one)
    if (sample === undefined || !check(sample)) return []
    return [withoutClaims(place, withoutDetails(sample, check), check)]
  })
  const claims = (sample: unknown) =>
    count(sample, (name, value) => value !== null && !isTelling(name, value))
  const facts = (sample: unknown) => count(sample, isFact)
  return samples.toSorted(
    (one, other) => claims(one) - claims(other) || facts(other) - facts(one),
  )[0]
}

/** The key of a response and its media type. */
type Place = { readonly status: string; readonly type: string }

type Check = (body: unknown) => boolean

/** The schema with one alternative each of its first union, which may be that of a required property. */
const alternatives = (schema: Schema, schemas: Schemas, depth = 0): readonly Schema[] => {
  const real = dereference(schema, schemas)
  if (typeof real === 'boolean' || depth > MOST_DEPTH) return [schema]
  const branches = real.oneOf ?? real.anyOf
  if (branches !== undefined) return branches.map((one) => ({ allOf: [schema, one] }))
  const { properties = {}, required = [] } = real
  for (const name of required) {
    const own = alternatives(properties[name] ?? true, schemas, depth + 1)
    if (own.length > 1)
      return own.map((one) => ({ ...real, properties: { ...properties, [name]: one } }))
  }
  return [schema]
}

const MOST_DEPTH = 5

/** The number of members that are no object and no list; an item of a list has the name of the list. */
const count = (
  value: unknown,
  isOne: (name: string, member: unknown) => boolean,
  name = '',
): number => {
  if (typeof value !== 'object' || value === null) return isOne(name, value) ? 1 : 0
  return Object.entries(value).reduce(
    (sum, [key, member]) => sum + count(member, isOne, Array.isArray(value) ? name : key),
    0,
  )
}

/** The sample with members that claim nothing, where `check` accepts them. */
const withoutClaims = (place: Place, sample: unknown, check: Check): unknown => {
  const visit = (value: unknown, name: string, whole: (changed: unknown) => unknown): unknown => {
    const isFilled = isFact(name, value)
    if (typeof value === 'string') {
      if (isFilled && check(whole(COMMON.message))) return value
      const named = namesOf(name, value, place).find((one) => check(whole(one)))
      if (named !== undefined) return named
    }
    if (isFilled) return value
    const isVague = name !== '' && !contains(value, isTelling)
    const vague = isVague ? [null, ...(Array.isArray(value) ? [[]] : [])] : []
    const found = vague.find((one) => check(whole(one)))
    if (found !== undefined) return found
    let kept: unknown = value
    if (Array.isArray(value))
      for (const at of value.keys()) {
        const others: readonly unknown[] = Object(kept)
        kept = others.with(
          at,
          visit(others[at], name, (one) => whole(others.with(at, one))),
        )
      }
    else if (isObject(value))
      for (const [key, member] of Object.entries(value)) {
        const others: JsonObject = Object(kept)
        kept = { ...others, [key]: visit(member, key, (one) => whole({ ...others, [key]: one })) }
      }
    return kept
  }
  return visit(sample, '', (changed) => changed)
}

/**
 * The texts that a member can have in place of a made-up one: the name of the status as codes are written, such as `NOT_FOUND`
 * and `not-found`; the type of a problem without one (RFC 9457, 4.2.1); the UUID that means none (RFC 9562, 5.9).
 */
const namesOf = (name: string, value: string, { status, type }: Place): readonly string[] => {
  if (UUID.test(value)) return [value.replace(/[^-]/g, '0')]
  if (name === 'type' && isProblem(type)) return ['about:blank']
  const words = CODE.test(name) ? (STATUS_CODES[status]?.split(/[ -]/) ?? []) : []
  if (words.length === 0) return []
  const small = words.map((word) => word.toLowerCase())
  return [small.join('_').toUpperCase(), small.join('_'), small.join('-'), words.join('')]
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A string of such a name says what kind of error it is. */
const CODE = /^(error|fault|problem|reason)?_?(code|type|kind|name|error|reason)$/i

const isTelling = (name: string, value: unknown): boolean =>
  isFact(name, value) || (typeof value === 'string' && CODE.test(name))

/**
 * A sample without the optional members that no fact replaces. Those of a large schema would be most of a generated server, and
 * would tell its callers nothing.
 */
const withoutDetails = (sample: unknown, check: Check): unknown => {
  const prune = (value: unknown, bodyWith: (changed: unknown) => unknown): unknown => {
    if (Array.isArray(value))
      return value.map((item, at) => prune(item, (changed) => bodyWith(value.with(at, changed))))
    if (!isObject(value)) return value
    let kept: JsonObject = value
    const hasFact = Object.entries(value).some(([name, member]) => isFact(name, member))
    for (const [name, member] of Object.entries(value)) {
      if (isFact(name, member) || (!hasFact && contains(member, isFact))) continue
      const { [name]: _, ...rest } = kept
      if (check(bodyWith(rest))) kept = rest
    }
    for (const [name, member] of Object.entries(kept)) {
      const others = kept
      const changed = prune(member, (one) => bodyWith({ ...others, [name]: one }))
      kept = { ...kept, [name]: changed }
    }
    return kept
  }
  return prune(sample, (changed) => changed)
}

const contains = (value: unknown, isOne: (name: string, member: unknown) => boolean): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, member]) => isOne(name, member) || contains(member, isOne))
