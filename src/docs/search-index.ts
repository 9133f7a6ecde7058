import MiniSearch from 'minisearch'
import type { Operation } from '../model/api.js'
import { limitWords } from '../model/limit-words.js'
import { errorAnchor, errorsOf } from './errors-page.js'
import { MARK } from './mark.js'
import { type Found, SEARCH } from './page/search-options.js'
import { plainText } from './prose.js'
import { type Site, statusName, wireName } from './site.js'

/** The index of both documents as a script, since a page from a disk may load no data. */
export function searchIndex(site: Site): string {
  const index = new MiniSearch<Row>(SEARCH)
  const taken = rows(site)
  index.addAll(taken.map((row, id) => ({ ...row, id })))
  return `// ${MARK}: what the search looks in. Do not edit.\nself.twinspecIndex = ${JSON.stringify(index)}\n`
}

type Row = Found & { readonly id: number; readonly text: string }

function rows(site: Site): readonly Omit<Row, 'id'>[] {
  const { api } = site
  const { codes, statuses } = errorsOf(api.operations)
  return [
    ...api.operations.map((operation) => ({
      name: wireName(operation),
      kind: operation.kind === 'http' ? 'operation' : 'method',
      said: plainText(operation.summary ?? ''),
      href: encodeURI(site.operationFiles.get(operation.id) ?? ''),
      text: textOf(operation),
    })),
    ...[...api.schemas.values()].map(({ name, schema }) => {
      const { description = '', properties = {} } = typeof schema === 'object' ? schema : {}
      const said = plainText(description)
      return {
        name,
        kind: 'schema',
        said: said.slice(0, SHOWN),
        href: encodeURI(site.schemaFiles.get(name) ?? ''),
        text: `${Object.keys(properties).join(' ')} ${said}`.slice(0, MOST),
      }
    }),
    ...[
      ...codes.map((row) => ({ ...row, title: row.code })),
      ...statuses.map((row) => ({ ...row, title: statusName(row.code) })),
    ].map(({ code, names, title }) => ({
      name: title,
      kind: 'error',
      said: plainText(names.join('; ')).slice(0, SHOWN),
      href: `errors.html#${errorAnchor(code)}`,
      text: plainText(names.join('; ')).slice(0, MOST),
    })),
  ]
}

/** Characters of a description that a result shows, and of a text that is looked in. */
const SHOWN = 120
const MOST = 2000

function textOf(operation: Operation): string {
  const names =
    operation.kind === 'http'
      ? [
          ...operation.parameters.map(({ name }) => name),
          ...operation.forms.map(({ name }) => name),
        ]
      : [
          ...operation.params.map(({ name }) => name),
          ...operation.errors.map(({ code, message }) => `${code} ${message}`),
        ]
  const { id, description = '', tags, limits } = operation
  const words = [id, ...tags, ...names, limitWords(limits), plainText(description)]
  return words.join(' ').slice(0, MOST)
}
