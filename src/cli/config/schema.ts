import type { Schema } from '../../schema/schema.js'

/**
 * The JSON Schema of `twinspec.config.yaml`. The reader validates with it, and editors use the copy in the package. Keys of the
 * sections `generate`, `lint`, `diff`, `conform` and `compatibility` are the flags of these commands. There is no key for a credential:
 * `TWINSPEC_KEY` is an environment variable.
 */
export const configSchema = (rules: readonly ConfigRule[]): ObjectSchema => {
  const levels = levelsOf(rules)
  return closed('Configuration of twinspec', {
    $schema: text('Where an editor finds this schema'),
    documents: closed('The documents, where a command names none', {
      openapi: path('The OpenAPI document'),
      openrpc: path('The OpenRPC document'),
      arazzo: path('The Arazzo document'),
      overlay: names('Overlays of the documents, in order, as paths below this folder'),
      'allow-outside': path('A folder that references may lead into'),
      'fetch-references': flag('Fetch remote documents once, into references/'),
    }),
    generate: closed('Flags of `generate`', {
      out: path('The folder of the generated files'),
      with: names(
        'Files besides: server, typebox, documents, reference, contracts, eip1193, msw, openapi-fetch, operations-json, standard-schema, tanstack-query, valibot, viem, zod',
      ),
      only: names(
        'Kinds of files: types, client, webhooks, server, validators, typebox, documents, reference',
      ),
      bigint: names('Formats of integers that are bigint in code: int64, uint64'),
      formats: names(
        'Formats of texts that validators check: date-time, date, uuid, uri, ipv4, ipv6',
      ),
      dates: flag('A text of the format date-time is a Date in code'),
      defaults: flag('Clients of HTTP fill in the defaults of parameters and bodies'),
      enums: flag('A constant with the values of each enum'),
      'type-options': names(
        'Options of types alone: additional-properties, alphabetize, array-length, default-non-nullable, exclude-deprecated, immutable, path-params-as-types, properties-required-by-default',
      ),
    }),
    lint: closed('Flags of `lint`', {
      preset: {
        enum: ['consumer', 'recommended', 'strict'],
        description: 'Which findings are reported',
      },
      score: flag('Also print a score of 0 to 100'),
      'fail-on': failOn,
    }),
    rules: {
      ...levels,
      description: 'The level of a rule of lint, diff, conform or compatibility; off hides it',
    },
    overrides: list('Levels for some files; the last entry that matches wins', {
      ...closed('Files, and the levels of rules in them', {
        files: names('Globs below the folder of this file: spec/legacy/**'),
        rules: levels,
      }),
      required: ['files', 'rules'],
    }),
    ignore: list('Findings that are accepted, each until a date; they are printed as notes', {
      ...closed('A finding that is accepted', {
        rule: { enum: ruleNames(rules), description: 'The id of the rule' },
        where: text(
          'A JSON pointer (/paths/~1orders, or openapi.yaml#/paths/~1orders), which includes all below it, or an operation (GET /orders, eth_call)',
        ),
        reason: text('Why the finding is accepted'),
        until: text('The last day of it: 2030-01-31'),
      }),
      required: ['rule', 'where', 'reason', 'until'],
    }),
    diff: closed('Flags of `diff`', {
      against: text('The version before: a file, a folder or git:origin/main'),
      baseline: path('The file of accepted changes'),
      changelog: path('The file that the changelog is written to'),
      'allow-missing-base': flag('Report nothing where the base has no document'),
      usage: path('What recorded requests used, a file of `twinspec usage`'),
      'fail-on': { ...failOn, enum: ['error', 'warning', 'note', 'used'] },
    }),
    conform: closed('Flags of `conform`', {
      url: url('Address of the server'),
      servers: {
        type: 'object',
        description: 'Address of each server, by its name in the documents',
        additionalProperties: url('Address of the server'),
      },
      only: names('Operations, tags and cases'),
      profile: text('The dialect of the server'),
      seed: count('Seed of generated values'),
      'max-examples': count('Values generated for each operation'),
      rate: count('Requests a minute, 0 for no limit'),
      'max-time': text('Start no case after this time: 90s, 5m'),
      disruptive: flag('Also test what disturbs other callers'),
      stateless: flag('The server keeps no state, as a mock'),
      'read-only': flag('Send nothing that could write'),
      traffic: path('Recorded traffic to check instead of a server'),
      baseline: path('The file of accepted findings'),
      'fail-on': failOn,
    }),
    compatibility: closed('Flags of `compatibility`', {
      since: text('The first tag of git that is tried'),
      last: count('The last versions that are tried'),
      consumer: path('Code that uses a client'),
      matrix: path('The file that the table is written to'),
      rate: count('Requests a minute, 0 for no limit'),
      'read-only': flag('Send nothing that could write'),
      'fail-on': failOn,
    }),
  })
}

/** The text of the same schema that the package publishes for editors: `twinspec/config.schema.json`. */
export const publishedSchema = (rules: readonly ConfigRule[]): string => {
  const schema = configSchema(rules)
  const $defs = { level: { enum: [...LEVEL_WORDS] } }
  const published = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, $defs }
  return `${JSON.stringify(published, shortened, 1)}\n`
}

export type ConfigRule = { readonly id: string; readonly purpose: string }

export type ObjectSchema = Exclude<Schema, boolean>

/** Replaces repeated levels by references, because they would be most of the file. */
const shortened = (key: string, value: unknown): unknown => {
  if (key === 'rules' && isLevels(value) && value.description === LEVELS_OF_FILES)
    return { $ref: '#/properties/rules' }
  if (typeof value !== 'object' || value === null || !('enum' in value)) return value
  const { enum: values, ...rest } = value
  return values === LEVEL_WORDS ? { $ref: '#/$defs/level', ...rest } : value
}

const isLevels = (value: unknown): value is ObjectSchema =>
  typeof value === 'object' && value !== null && 'description' in value

const LEVELS_OF_FILES = 'The level of each rule'

const LEVEL_WORDS = ['error', 'warning', 'note', 'off'] as const

const levelsOf = (rules: readonly ConfigRule[]): ObjectSchema =>
  closed(LEVELS_OF_FILES, {
    ...Object.fromEntries(
      rules.map(({ id, purpose }) => [id, { enum: LEVEL_WORDS, description: purpose }]),
    ),
  })

const ruleNames = (rules: readonly ConfigRule[]): readonly string[] => rules.map(({ id }) => id)

const closed = (
  description: string,
  properties: Readonly<Record<string, Schema>>,
): ObjectSchema => ({ type: 'object', description, properties, additionalProperties: false })

const list = (description: string, items: Schema): ObjectSchema => ({
  type: 'array',
  description,
  items,
})

const text = (description: string): ObjectSchema => ({ type: 'string', minLength: 1, description })

/** A path is relative to the folder of the configuration. */
const path = (description: string): ObjectSchema => text(`${description}; below this folder`)

/** A URL without credentials, which belong in `TWINSPEC_KEY`. */
const url = (description: string): ObjectSchema => ({
  ...text(description),
  pattern: '^https?://[^@]*$',
})

const flag = (description: string): ObjectSchema => ({ type: 'boolean', description })

const count = (description: string): ObjectSchema => ({ type: 'integer', minimum: 0, description })

const names = (description: string): ObjectSchema =>
  list(description, { type: 'string', minLength: 1 })

const failOn: ObjectSchema = {
  enum: ['error', 'warning', 'note'],
  description: 'The mildest level that ends with exit code 1',
}
