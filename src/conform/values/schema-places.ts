import { isObject } from '../../runtime/validate/json-value.js'
import { referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import { samplesOf } from './arbitrary.js'
import {
  type Making,
  type Part,
  partsOf,
  type Step,
  stepsInto,
  valueAt,
  withValueAt,
} from './schema-parts.js'

/** A schema, where it stands in another, and what it reads. */
export type Place = {
  /** From the outermost schema, references followed: `/prefixItems/0/properties/to`. */
  readonly pointer: string
  readonly schema: SchemaObject
  /** Into each of `bases`. */
  readonly path: readonly Step[]
  /** Valid values of the outermost schema in which something stands there that the schema takes; never none. */
  readonly bases: readonly unknown[]
}

/**
 * Every place of a schema that a valid value can be shown for, each named schema once on the way down. Values in which an
 * optional part stands are taken from `bases`, and made with `samplesFor` where there are none.
 */
export function* placesOf(
  root: Schema,
  bases: readonly unknown[],
  making: Making,
  samplesFor: (schema: Schema) => readonly unknown[] = (schema) => samplesOf(schema, making),
): Generator<Place> {
  const takes = making.checker.schema(root).check
  /** A valid value that has what the schema takes at the end of the path. */
  const made = (from: readonly unknown[], path: readonly Step[], schema: Schema) => {
    for (const base of from.slice(0, 3))
      for (const sample of samplesFor(schema).slice(0, 12)) {
        const whole = withValueAt(base, path, sample)
        if (takes(whole)) return [whole]
      }
    return []
  }

  function* visit(schema: Schema, at: Omit<Place, 'schema'>, above: ReadonlySet<string>): Visit {
    const name = referredName(schema)
    if (name !== undefined && above.has(name)) return
    const within = name === undefined ? above : new Set([...above, name])
    const real = name === undefined ? schema : (making.schemas.get(name)?.schema ?? true)
    if (name !== undefined && referredName(real) !== undefined)
      return yield* visit(real, at, within)
    if (typeof real === 'boolean' || at.bases.length === 0) return
    yield { ...at, schema: real }
    let before = at.bases
    for (const part of partsOf(real)) {
      const inner = inside(part, at, before)
      if (part.about.kind === 'at' && typeof part.about.step === 'number' && inner.bases.length > 0)
        before = inner.bases
      yield* visit(part.schema, { ...inner, pointer: at.pointer + part.pointer }, within)
    }
  }

  const inside = (
    part: Part,
    { path, bases }: Omit<Place, 'schema'>,
    before: readonly unknown[],
  ): Pick<Place, 'path' | 'bases'> => {
    const { about, schema } = part
    if (about.kind === 'the same') return { path, bases }
    if (about.kind === 'a form') {
      const { check } = making.checker.schema(schema)
      const own = bases.filter((base) => check(valueAt(base, path)))
      return { path, bases: own.length > 0 ? own : made(bases, path, schema) }
    }
    for (const base of bases) {
      const [step] = stepsInto(valueAt(base, path), part)
      if (step === undefined) continue
      const there = bases.filter((one) => valueAt(one, [...path, step]) !== undefined)
      return { path: [...path, step], bases: there }
    }
    const steps =
      about.kind === 'at'
        ? [about.step]
        : about.kind === 'other items'
          ? [about.from]
          : namesFor(part, valueAt(bases[0], path))
    for (const step of steps) {
      const bases = made(before, [...path, step], schema)
      if (bases.length > 0) return { path: [...path, step], bases }
    }
    return { path, bases: [] }
  }

  /** Names that a further property of a value may have: those shown elsewhere are not known to be of this kind. */
  const namesFor = ({ about }: Part, value: unknown): readonly string[] =>
    about.kind !== 'other properties' || !isObject(value) ? [] : PLAIN_NAMES.filter(about.takes)

  const [...valid] = bases.filter((base) => takes(base))
  const known = valid.length > 0 ? valid : samplesFor(root).filter((base) => takes(base))
  yield* visit(root, { pointer: '', path: [], bases: known.slice(0, MOST) }, new Set())
}

type Visit = Generator<Place, void>

const MOST = 24

const PLAIN_NAMES = ['name', 'x-name', '0', '_']

/** What is said of each place that any value could have, whether one can be found or not: for the figure of coverage. */
export function* declaredPlaces(
  root: Schema,
  schemas: Making['schemas'],
): Generator<Pick<Place, 'pointer' | 'schema'>> {
  function* visit(schema: Schema, pointer: string, above: ReadonlySet<string>): Declared {
    const name = referredName(schema)
    if (name !== undefined && above.has(name)) return
    const within = name === undefined ? above : new Set([...above, name])
    const real = name === undefined ? schema : (schemas.get(name)?.schema ?? true)
    if (referredName(real) !== undefined) return yield* visit(real, pointer, within)
    if (typeof real === 'boolean') return
    yield { pointer, schema: real }
    for (const part of partsOf(real)) yield* visit(part.schema, pointer + part.pointer, within)
  }
  yield* visit(root, '', new Set())
}

type Declared = Generator<Pick<Place, 'pointer' | 'schema'>, void>
