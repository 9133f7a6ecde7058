import { readFileSync } from 'node:fs'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'yaml'

const closed = { additionalProperties: false } as const

const Missed = Type.Object(
  {
    because: Type.Union([
      Type.Literal('all-methods'),
      Type.Literal('silent'),
      Type.Literal('texts'),
      Type.Literal('extension'),
      Type.Literal('older'),
      Type.Literal('new-method'),
    ]),
    part: Type.Optional(Type.String()),
    field: Type.Optional(Type.String()),
    why: Type.String(),
  },
  closed,
)

const Fact = Type.Object(
  {
    release: Type.String(),
    section: Type.String(),
    pull: Type.Optional(Type.Integer()),
    says: Type.String(),
    change: Type.Union([
      Type.Literal('method-added'),
      Type.Literal('param-added'),
      Type.Literal('option-added'),
      Type.Literal('field-added'),
      Type.Literal('field-removed'),
      Type.Literal('field-optional'),
      Type.Literal('field-required'),
      Type.Literal('field-type'),
      Type.Literal('default-changed'),
      Type.Literal('behaviour'),
    ]),
    methods: Type.Array(Type.String(), { minItems: 1 }),
    at: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    missed: Type.Optional(Missed),
  },
  closed,
)

const Other = Type.Object(
  {
    methods: Type.Array(Type.String(), { minItems: 1 }),
    rules: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    pull: Type.Optional(Type.Integer()),
    verdict: Type.Union([Type.Literal('true'), Type.Literal('document'), Type.Literal('false')]),
    why: Type.String(),
  },
  closed,
)

const Notes = Type.Object(
  {
    notes: Type.String(),
    steps: Type.Array(
      Type.Object(
        {
          before: Type.String(),
          after: Type.String(),
          releases: Type.Array(Type.String()),
          facts: Type.Array(Fact),
          others: Type.Array(Other),
        },
        closed,
      ),
    ),
  },
  closed,
)

/** One statement of release notes, in our words. */
export type Fact = Static<typeof Fact>
/** Findings that no release note explains, and whether they are right. */
export type Other = Static<typeof Other>
export type Notes = Static<typeof Notes>
export type Step = Notes['steps'][number]

/** The facts of release notes in a YAML file. Throws an error that names the first member of a wrong shape. */
export function readNotes(file: string): Notes {
  const value: unknown = parse(readFileSync(file, 'utf8'))
  if (Value.Check(Notes, value)) return value
  const [first] = Value.Errors(Notes, value)
  throw new Error(`${file}${first?.instancePath}: ${first?.message}`)
}
