/** The kinds of generated files, and what each is for. `--only` selects from them, and `--with` adds to the default. */
const KINDS = {
  types:
    'the types of requests, responses and schemas, and named values of enums: http.types.ts, rpc.types.ts, enums.ts',
  client:
    'clients, and the addresses of OAuth: client.ts, http.client.ts, http.calls.ts, rpc.client.ts, rpc.methods.ts, oauth2.ts',
  webhooks: 'a receiver of webhooks and callbacks: webhooks.ts',
  server: 'handlers to implement: server.ts',
  validators: 'validators, and the errors of values: validators.ts, explanations.ts',
  typebox: 'the schemas in TypeBox: schemas.ts',
  documents:
    'the documents, each in one file: http.openapi.json, rpc.openrpc.json, rpc.openapi.json',
  reference: 'the reference in Markdown: reference.md',
} as const

export type Kind = keyof typeof KINDS

export const kindNames = Object.keys(KINDS) as readonly Kind[]

export const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name)

/** What callers of the API need. `--with` adds the others. */
export const DEFAULT_KINDS: readonly Kind[] = ['types', 'client', 'validators', 'webhooks']

/** The kinds, with those that their files import. */
export function withNeeded(kinds: readonly Kind[]): ReadonlySet<Kind> {
  const all = new Set(kinds)
  // The iteration includes members that are added during it.
  for (const kind of all) for (const one of NEEDS[kind]) all.add(one)
  return all
}

const NEEDS: Readonly<Record<Kind, readonly Kind[]>> = {
  types: [],
  client: ['validators', 'types'],
  webhooks: ['validators', 'types'],
  server: ['client', 'validators', 'types'],
  validators: ['types'],
  typebox: [],
  // JSON has no comments, so `generate` recognizes its own folder by the files next to the documents.
  documents: ['types'],
  reference: [],
}
