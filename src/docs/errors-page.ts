import type { Operation } from '../model/api.js'
import { nameOf } from '../model/operation-name.js'
import { type Html, type HtmlContent, html, separated } from '../text/html.js'
import { proseLine } from './prose.js'
import { anchor, operationAddress, type Page, statusName } from './site.js'

/** The page of all JSON-RPC codes and HTTP error statuses, with the operations that return them. */
export function errorsPage(page: Page): Html {
  const { codes, statuses } = errorsOf(page.site.api.operations)
  return html`<article><h1>Errors</h1>
<p>The errors that the documents declare for operations and methods.</p>
${part('JSON-RPC codes', 'codes', codes, page)}
${part('HTTP statuses', 'statuses', statuses, page)}</article>`
}

/** The address of the page, or of a code on it. */
export const errorsAddress = ({ up }: Page, code?: number | string): string =>
  `${up}errors.html${code === undefined ? '' : `#${errorAnchor(code)}`}`

export const errorAnchor = (code: number | string): string => anchor('error', code)

export type ErrorRow = {
  readonly code: string
  /** The messages or descriptions of the error; several if they differ. */
  readonly names: readonly string[]
  readonly by: readonly Operation[]
}

export function errorsOf(operations: readonly Operation[]): {
  readonly codes: readonly ErrorRow[]
  readonly statuses: readonly ErrorRow[]
} {
  const codes = new Map<string, { names: Set<string>; by: Set<Operation> }>()
  const statuses: typeof codes = new Map()
  const add = (to: typeof codes, code: string, name: string, operation: Operation) => {
    const row = to.get(code) ?? { names: new Set(), by: new Set() }
    to.set(code, row)
    if (name.trim() !== '') row.names.add(name.trim())
    row.by.add(operation)
  }
  for (const operation of operations) {
    if (operation.kind === 'rpc')
      for (const { code, message } of operation.errors) add(codes, String(code), message, operation)
    else
      for (const { status, description } of operation.responses)
        if (!/^[123]/.test(status)) add(statuses, status, description, operation)
  }
  const rows = (from: typeof codes) =>
    [...from]
      .map(([code, { names, by }]) => ({ code, names: [...names], by: [...by] }))
      .sort((one, other) => one.code.localeCompare(other.code, 'en', { numeric: true }))
  return { codes: rows(codes), statuses: rows(statuses) }
}

function part(title: string, id: string, rows: readonly ErrorRow[], page: Page): HtmlContent {
  if (rows.length === 0) return undefined
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${rows.map((row) => error(row, page))}</section>`
}

function error({ code, names, by }: ErrorRow, page: Page): Html {
  const id = errorAnchor(code)
  const links = by.map(
    (operation) =>
      html`<a href="${operationAddress(page, operation.id)}#${
        operation.kind === 'rpc' ? errorAnchor(code) : anchor('response', code)
      }"><code>${nameOf(operation)}</code></a>`,
  )
  const title = /^-?\d+$/.test(code) && Number(code) < 100 ? code : statusName(code)
  return html`<section class="error" aria-labelledby="${id}"><h3 id="${id}">${title}</h3>${
    names.length > 0 &&
    html`<ul class="wordings">${names.map((name) => html`<li>${proseLine(name)}</li>`)}</ul>`
  }<details><summary>${by.length === 1 ? 'one operation' : `${by.length} operations`}</summary><p class="many">${separated(links, ' ')}</p></details></section>`
}
