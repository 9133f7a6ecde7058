import { createChecker } from '../schema/check.js'
import { referredName, type Schema, type SchemaObject } from '../schema/schema.js'
import type { Api } from './api.js'
import { type Shape, shapesOf } from './sample-shapes.js'

/**
 * Makes small values of schemas, for operations of which a document shows no example. What is made has passed the checker;
 * undefined where nothing could be made that is sure to be meant: a pattern, bytes, a format that is not known here.
 * A request says what is `required`; what is `answered` also has optional members and an item in each list, a few levels down.
 */
export function createSampler(
  schemas: Api['schemas'],
  members: 'required' | 'answered' = 'required',
): Sampler {
  const checker = createChecker(schemas)
  const known = new Map<Schema, unknown>()
  const sizeOf = createSizes()
  let steps = 0

  const make = (schema: Schema, opened: ReadonlySet<string>, depth: number): unknown => {
    const before = known.get(schema)
    if (before !== undefined) return before
    if (depth > DEPTH || ++steps > STEPS) return undefined
    for (const value of candidates(schema, opened, depth)) {
      if (sizeOf(value) > MOST_NODES || !checker.schema(schema).check(value)) continue
      known.set(schema, value)
      return value
    }
    return undefined
  }

  function* candidates(schema: Schema, opened: ReadonlySet<string>, depth: number) {
    if (typeof schema === 'object') yield* told(schema)
    let tries = 0
    for (const shape of shapesOf(schemas, { keywords: {}, opened }, schema)) {
      if (++tries > TRIES) return
      yield* told(shape.keywords)
      for (const type of typesOf(shape.keywords)) yield* built(type, shape, depth)
    }
  }

  function* built(type: string, { keywords, opened }: Shape, depth: number): Generator<unknown> {
    const within = (schema: Schema) => make(schema, opened, depth + 1)
    if (type === 'string') yield* texts(keywords)
    if (type === 'number' || type === 'integer') yield* numbers(keywords, type)
    if (type === 'boolean') yield true
    if (type === 'null') yield null
    const { minItems = 0, properties = {}, required = [] } = keywords
    if (members === 'answered' && depth < ANSWERED) {
      if (type === 'array') yield listOf(keywords, within, Math.max(1, minItems), sizeOf)
      if (type === 'object')
        yield objectOf(
          keywords,
          within,
          Object.keys(properties).filter(isAnswered(properties)),
          sizeOf,
        )
    }
    if (type === 'array') yield listOf(keywords, within, minItems, sizeOf)
    if (type === 'object') yield objectOf(keywords, within, required, sizeOf)
  }

  const isAnswered = (properties: Readonly<Record<string, Schema>>) => (name: string) => {
    const property = properties[name] ?? true
    const target = schemas.get(referredName(property) ?? '')?.schema ?? property
    return ![property, target].some((one) => typeof one === 'object' && one.writeOnly === true)
  }

  return (schema) => {
    steps = 0
    return make(schema, new Set(), 0)
  }
}

/** A value of a schema, undefined where none could be made. */
export type Sampler = (schema: Schema) => unknown

/** A schema may branch and nest as it likes: the work is bounded, and a schema that needs more has no value. */
const STEPS = 2000
const TRIES = 20
const DEPTH = 30

/**
 * Values within a value. Those that schemas share are the same in memory, and each is printed wherever it stands: without a
 * bound, schemas that name the one below twice would make a sample of double size at each level.
 */
const MOST_NODES = 1000

type SizeOf = (value: unknown) => number

/** Counts the values within a value; what is the same in memory is counted once, and then known. */
function createSizes(): SizeOf {
  const sizes = new WeakMap<object, number>()
  const sizeOf: SizeOf = (value) => {
    if (typeof value !== 'object' || value === null) return 1
    const size =
      sizes.get(value) ?? Object.values(value).reduce((sum: number, one) => sum + sizeOf(one), 1)
    sizes.set(value, size)
    return size
  }
  return sizeOf
}

/** How far down an answer has more than it must. */
const ANSWERED = 4

/** Values that the schema names itself. */
function* told({ const: only, enum: some = [], default: usual, examples = [] }: SchemaObject) {
  if (only !== undefined) yield only
  yield* [...some.filter((one) => one !== null), ...some.filter((one) => one === null)]
  yield* [usual, ...examples].filter((one) => one !== undefined && one !== null && one !== '')
}

function typesOf({ type, ...keywords }: SchemaObject): readonly string[] {
  if (type !== undefined) {
    const all = typeof type === 'string' ? [type] : type
    return [...all.filter((one) => one !== 'null'), ...all.filter((one) => one === 'null')]
  }
  const speaksOf = (names: string) => names.split(' ').some((name) => name in keywords)
  if (speaksOf('properties required additionalProperties minProperties')) return ['object']
  if (speaksOf('items prefixItems minItems')) return ['array']
  return speaksOf('minimum exclusiveMinimum maximum exclusiveMaximum multipleOf')
    ? ['number']
    : ['string']
}

function* texts({ format, pattern, minLength = 0, maxLength = LONGEST }: SchemaObject) {
  if (minLength > LONGEST) return
  const known = format === undefined ? 'text' : FORMATS.get(format)
  if (known === undefined) return
  if (known !== 'text') yield known
  else
    for (const text of pattern === undefined ? ['text'] : PLACEHOLDERS)
      yield text.padEnd(minLength, text.startsWith('0x') ? '0' : text).slice(0, maxLength)
}

/** What patterns ask for mostly. */
const PLACEHOLDERS = ['text', '1', '0x1', '0x', 'TEXT', '10', '1.0', '2026-01-31', '/text']

const LONGEST = 1000

const FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    date: '2026-01-31',
    'date-time': '2026-01-31T12:00:00Z',
    time: '12:00:00Z',
    duration: 'P1D',
    uuid: '9b2d6f3e-51c4-4a0e-8f57-2c1d3e4f5a6b',
    email: 'somebody@example.com',
    hostname: 'example.com',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
    uri: 'https://example.com/',
    url: 'https://example.com/',
    'uri-reference': '/',
    byte: 'dGV4dA==',
    password: 'text',
  }),
)

function* numbers(keywords: SchemaObject, type: 'number' | 'integer') {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = keywords
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity)
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity)
  const step = multipleOf ?? 1
  const [up, down] = [Math.ceil(least / step) * step, Math.floor(most / step) * step]
  const all = [1, step, least, up, up + step, most, down, down - step, (least + most) / 2, 0]
  yield* all.filter((one) => (type === 'integer' ? Number.isInteger(one) : Number.isFinite(one)))
}

function listOf(keywords: SchemaObject, within: Sampler, count: number, sizeOf: SizeOf): unknown {
  const { prefixItems = [], items = true } = keywords
  if (count > MOST) return undefined
  const all: unknown[] = []
  let room = MOST_NODES - 1
  while (all.length < count) {
    const item = within(prefixItems[all.length] ?? items)
    room -= sizeOf(item)
    if (item === undefined || room < 0) return undefined
    all.push(item)
  }
  return all
}

/** Items, or members, that a sample may have. */
const MOST = 20

/** What is required, what is wanted besides as far as it can be made, and of the rest as much as must be there. */
function objectOf(
  keywords: SchemaObject,
  within: Sampler,
  wanted: readonly string[],
  sizeOf: SizeOf,
): unknown {
  const {
    properties = {},
    required = [],
    additionalProperties = true,
    minProperties = 0,
  } = keywords
  const schemaOf = (name: string): Schema =>
    Object.hasOwn(properties, name) ? (properties[name] ?? true) : additionalProperties
  const members = new Map<string, unknown>()
  const needed = new Map<string, unknown>()
  let room = MOST_NODES - 1
  // What is required has its room before what is not.
  for (const name of required) {
    const value = within(schemaOf(name))
    if (value === undefined) return undefined
    if (!needed.has(name)) room -= sizeOf(value)
    needed.set(name, value)
  }
  if (room < 0) return undefined
  for (const name of new Set([...wanted, ...required])) {
    const value = needed.get(name) ?? within(schemaOf(name))
    const size = needed.has(name) ? 0 : sizeOf(value)
    if (value === undefined || size > room) continue
    members.set(name, value)
    room -= size
  }
  if (minProperties > MOST) return undefined
  const more = [
    ...Object.keys(properties),
    ...Array.from({ length: MOST }, (_, at) => `key${at + 1}`),
  ]
  for (const name of more) {
    if (members.size >= minProperties) break
    const value = members.has(name) ? undefined : within(schemaOf(name))
    const size = sizeOf(value)
    if (value === undefined || size > room) continue
    members.set(name, value)
    room -= size
  }
  return Object.fromEntries(members)
}
