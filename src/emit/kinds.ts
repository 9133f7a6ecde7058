import type { Api } from '../model/api.js'
import { isLarge } from './split-by-tag/division.js'

/** The kinds of generated files, and what each is for. `--only` chooses among them, and `--with` adds one. */
const KINDS = {
  types: 'the types of requests, responses and schemas: http.types.ts, rpc.types.ts',
  client: 'what calls the service: client.ts, http.client.ts, rpc.client.ts, rpc.methods.ts',
  server: 'handlers to implement: server.ts',
  validators: 'checks of values, and what is wrong with them: validators.ts, explanations.ts',
  schemas: 'the schemas in TypeBox: schemas.ts',
  documents:
    'the documents, each in one file: http.openapi.json, rpc.openrpc.json, rpc.openapi.json',
  reference: 'the reference in Markdown: reference.md',
} as const

export type Kind = keyof typeof KINDS

export const kindNames = Object.keys(KINDS) as readonly Kind[]

export const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name)

/**
 * The kinds that are written where nobody chooses: all, but of a document that is divided by tags only what calls and
 * serves it. The others are for people or for other tools, and as large as the rest together.
 */
export const usualKinds = (api: Api): readonly Kind[] =>
  isLarge(api) ? kindNames.filter((kind) => !OPTIONAL.has(kind)) : kindNames

const OPTIONAL: ReadonlySet<Kind> = new Set(['schemas', 'documents', 'reference'])

/** The kinds, with those that their files import. */
export function withNeeded(kinds: readonly Kind[], api: Api): ReadonlySet<Kind> {
  const all = new Set(kinds)
  // A set iterates over what is added to it on the way.
  for (const kind of all) for (const one of NEEDS[kind]) all.add(one)
  // The types of the params and results of methods are beside their client.
  if (api.rpc && all.has('validators')) all.add('client')
  return all
}

const NEEDS: Readonly<Record<Kind, readonly Kind[]>> = {
  types: [],
  client: ['validators', 'types'],
  server: ['client', 'validators', 'types'],
  validators: ['types'],
  schemas: [],
  // JSON has no comments: by the files beside them `generate` sees that a folder is its own.
  documents: ['types'],
  reference: [],
}
