import type { NamedSchema, Operation } from '../model/api.js'
import { everySubschema, referredName, type Schema } from '../schema/schema.js'
import { type Html, type HtmlContent, html, separated } from '../text/html.js'
import { schemaTree } from './schema-tree.js'
import { typeWords } from './schema-words.js'
import { operationLink, type Page, schemaLink } from './site.js'

/** The page of a named schema: its tree, and who refers to it. */
export function schemaPage(page: Page, { name, schema, usedBy }: NamedSchema, users: Users): Html {
  const { schemas = [], operations = [] } = users.get(name) ?? {}
  const where = { http: 'HTTP', rpc: 'JSON-RPC', both: 'both documents' }[usedBy]
  return html`<article><h1>${name}</h1>
<p class="wire"><span class="protocol">schema</span> of ${where}: ${typeWords(page, schema)}</p>
${schemaTree(page, schema, { isPage: true, anchors: 'property--' })}
${used(
  'Used by operations',
  'operations',
  operations.map((operation) => operationLink(page, operation)),
)}
${used(
  'Part of',
  'schemas',
  schemas.map((other) => schemaLink(page, other)),
)}</article>`
}

/** The page that lists all named schemas. */
export function schemasPage(page: Page): Html {
  const rows = [...page.site.api.schemas.values()].map(
    ({ name, schema }) =>
      html`<li>${schemaLink(page, name)} <span class="type-words">${typeWords(page, schema)}</span></li>`,
  )
  return html`<article><h1>Schemas</h1><ul class="schema-list">${rows}</ul></article>`
}

/** Name of a schema -> who refers to it, except itself. */
export type Users = ReadonlyMap<
  string,
  { readonly schemas: readonly string[]; readonly operations: readonly Operation[] }
>

export function usersOf(
  operations: readonly Operation[],
  schemas: ReadonlyMap<string, NamedSchema>,
): Users {
  const users = new Map<string, { schemas: string[]; operations: Operation[] }>()
  const rowOf = (name: string) => {
    const row = users.get(name) ?? { schemas: [], operations: [] }
    users.set(name, row)
    return row
  }
  for (const { name, schema } of schemas.values())
    for (const used of namesIn([schema])) if (used !== name) rowOf(used).schemas.push(name)
  for (const operation of operations)
    for (const used of namesIn(schemasOf(operation))) rowOf(used).operations.push(operation)
  return users
}

const namesIn = (schemas: readonly Schema[]): ReadonlySet<string> =>
  new Set(schemas.flatMap(everySubschema).flatMap((one) => referredName(one) ?? []))

function schemasOf(operation: Operation): readonly Schema[] {
  if (operation.kind === 'rpc')
    return [...operation.params.map(({ schema }) => schema), operation.result.schema]
  const media = [
    ...(operation.body?.content ?? []),
    ...operation.responses.flatMap(({ content }) => content),
  ]
  const headers = operation.responses.flatMap((response) => response.headers)
  return [...operation.parameters, ...media, ...headers].map(({ schema }) => schema)
}

const used = (title: string, id: string, links: readonly Html[]): HtmlContent =>
  links.length > 0 &&
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><p class="many">${separated(links, ' ')}</p></section>`
