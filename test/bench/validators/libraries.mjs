// Plain JavaScript: the libraries are installed when the bench runs, not where this repository is type-checked.
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Type } from '@sinclair/typebox/type'
import { type } from 'arktype'
import { Compile } from 'typebox/schema'
import * as v from 'valibot'
import { z } from 'zod'
import { schemaOf } from './shape-schema.ts'

/**
 * A check of each library, made of a shape (`shape.ts`) in the library's own words, and its fastest way to say yes or no.
 * @type {Record<string, (shape: import('./shape.js').Shape) => (value: unknown) => boolean>}
 */
export const libraries = {
  '@sinclair/typebox': (shape) => {
    const compiled = TypeCompiler.Compile(typeboxOf(shape))
    return (value) => compiled.Check(value)
  },
  typebox: (shape) => {
    const compiled = Compile(schemaOf(shape))
    if (!compiled.IsAccelerated()) throw new Error('typebox fell back to its interpreter')
    return (value) => compiled.Check(value)
  },
  zod: (shape) => {
    const schema = zodOf(shape)
    return (value) => schema.safeParse(value).success
  },
  valibot: (shape) => {
    const schema = valibotOf(shape)
    return (value) => v.is(schema, value)
  },
  arktype: (shape) => {
    const schema = arktypeOf(shape)
    return (value) => schema.allows(value)
  },
}

function typeboxOf(shape) {
  switch (shape.kind) {
    case 'any':
      return Type.Unknown()
    case 'null':
      return Type.Null()
    case 'boolean':
      return Type.Boolean()
    case 'number':
      return Type.Number()
    case 'string': {
      const { pattern, minLength } = shape
      return Type.String({ ...(pattern && { pattern }), ...(minLength && { minLength }) })
    }
    case 'literals':
      return unionOf(shape.values.map((value) => Type.Literal(value)))
    case 'list':
      return Type.Array(typeboxOf(shape.items), {
        ...(shape.least && { minItems: shape.least }),
        ...(shape.most !== undefined && { maxItems: shape.most }),
      })
    case 'tuple':
      // It knows no tuple whose end may be left out.
      return unionOf(
        lengths(shape).map((size) => Type.Tuple(typeboxes(shape.items.slice(0, size)))),
      )
    case 'object':
      return Type.Object(
        membersOf(shape, ({ shape, isRequired }) =>
          isRequired ? typeboxOf(shape) : Type.Optional(typeboxOf(shape)),
        ),
        { ...(shape.isClosed && { additionalProperties: false }) },
      )
    case 'union':
      return unionOf(typeboxes(shape.branches))
  }
  throw new Error(`typebox has no ${shape.kind}`)
}

const typeboxes = (shapes) => shapes.map(typeboxOf)

const unionOf = (branches) => (branches.length === 1 ? branches[0] : Type.Union(branches))

function zodOf(shape) {
  switch (shape.kind) {
    case 'any':
      return z.unknown()
    case 'null':
      return z.null()
    case 'boolean':
      return z.boolean()
    case 'number':
      return z.number()
    case 'string': {
      const text = z.string()
      const long = shape.minLength ? text.min(shape.minLength) : text
      return shape.pattern ? long.regex(new RegExp(shape.pattern, 'u')) : long
    }
    case 'literals':
      return z.literal([...shape.values])
    case 'list': {
      const list = z.array(zodOf(shape.items)).min(shape.least)
      return shape.most === undefined ? list : list.max(shape.most)
    }
    case 'tuple':
      return z.tuple(
        shape.items.map((item, index) =>
          index < shape.least ? zodOf(item) : zodOf(item).optional(),
        ),
      )
    case 'object': {
      const members = membersOf(shape, ({ shape, isRequired }) =>
        isRequired ? zodOf(shape) : zodOf(shape).optional(),
      )
      return shape.isClosed ? z.strictObject(members) : z.object(members)
    }
    case 'union': {
      const branches = shape.branches.map(zodOf)
      return shape.tag ? z.discriminatedUnion(shape.tag, branches) : z.union(branches)
    }
  }
  throw new Error(`zod has no ${shape.kind}`)
}

function valibotOf(shape) {
  switch (shape.kind) {
    case 'any':
      return v.unknown()
    case 'null':
      return v.null()
    case 'boolean':
      return v.boolean()
    case 'number':
      return v.number()
    case 'string': {
      const checks = [
        ...(shape.minLength ? [v.minLength(shape.minLength)] : []),
        ...(shape.pattern ? [v.regex(new RegExp(shape.pattern, 'u'))] : []),
      ]
      return checks.length === 0 ? v.string() : v.pipe(v.string(), ...checks)
    }
    case 'literals':
      return shape.values.length === 1 ? v.literal(shape.values[0]) : v.picklist([...shape.values])
    case 'list': {
      const checks = [
        ...(shape.least ? [v.minLength(shape.least)] : []),
        ...(shape.most === undefined ? [] : [v.maxLength(shape.most)]),
      ]
      const list = v.array(valibotOf(shape.items))
      return checks.length === 0 ? list : v.pipe(list, ...checks)
    }
    case 'tuple': {
      // Its tuples take any length: the strict one refuses what is too long, and each length is a branch of its own.
      const tuples = lengths(shape).map((size) =>
        v.strictTuple(shape.items.slice(0, size).map(valibotOf)),
      )
      return tuples.length === 1 ? tuples[0] : v.union(tuples)
    }
    case 'object': {
      const members = membersOf(shape, ({ shape, isRequired }) =>
        isRequired ? valibotOf(shape) : v.optional(valibotOf(shape)),
      )
      const object = shape.isClosed ? v.strictObject(members) : v.object(members)
      // It takes a list for an object, unless something is required that lists do not have.
      return shape.members.some(({ isRequired }) => isRequired)
        ? object
        : v.pipe(
            v.custom((value) => !Array.isArray(value)),
            object,
          )
    }
    case 'union': {
      const branches = shape.branches.map(valibotOf)
      return shape.tag ? v.variant(shape.tag, branches) : v.union(branches)
    }
  }
  throw new Error(`valibot has no ${shape.kind}`)
}

function arktypeOf(shape) {
  switch (shape.kind) {
    case 'any':
      return type('unknown')
    case 'null':
      return type('null')
    case 'boolean':
      return type('boolean')
    case 'number':
      return type('number')
    case 'string': {
      const text = shape.pattern ? type(new RegExp(shape.pattern, 'u')) : type('string')
      return shape.minLength ? text.atLeastLength(shape.minLength) : text
    }
    case 'literals':
      return type.enumerated(...shape.values)
    case 'list': {
      const list = arktypeOf(shape.items).array().atLeastLength(shape.least)
      return shape.most === undefined ? list : list.atMostLength(shape.most)
    }
    case 'tuple':
      return type(
        shape.items.map((item, index) =>
          index < shape.least ? arktypeOf(item) : [arktypeOf(item), '?'],
        ),
      )
    case 'object': {
      const entries = shape.members.map(({ name, shape, isRequired }) => [
        isRequired ? name : `${name}?`,
        arktypeOf(shape),
      ])
      const members = Object.fromEntries(entries)
      const object = type(shape.isClosed ? { '+': 'reject', ...members } : members)
      return shape.members.some(({ isRequired }) => isRequired)
        ? object
        : object.narrow((value) => !Array.isArray(value))
    }
    case 'union':
      return shape.branches.map(arktypeOf).reduce((one, other) => one.or(other))
  }
  throw new Error(`arktype has no ${shape.kind}`)
}

const membersOf = (shape, change) =>
  Object.fromEntries(shape.members.map((member) => [member.name, change(member)]))

/** The lengths that a tuple may have. */
const lengths = ({ items, least }) =>
  Array.from({ length: items.length - least + 1 }, (_, index) => least + index)
