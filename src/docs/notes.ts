import type { HttpDocument, Operation, RpcDocument } from '../model/api.js'
import { securityWords } from '../model/credentials.js'
import { dayOf } from '../model/day.js'
import { limitWords } from '../model/extensions.js'
import { isObject, isReference } from '../model/json.js'
import { operationIn, PATH_METHODS } from '../model/path-item.js'
import { successorOf } from '../model/successor.js'
import type { Unknown } from '../model/unknowns.js'
import type { Server } from '../runtime/operation.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { inSentence } from '../text/escape.js'
import { breakable, type Html, type HtmlContent, html, separated } from '../text/html.js'
import { proseLine } from './prose.js'
import { operationLink, type Page, protocolOf, type Site } from './site.js'

/** A note on what the document leaves open here, and what was assumed. */
export function unknownNote(notShown: unknown, assumption: unknown): Html | undefined {
  if (typeof notShown !== 'string') return undefined
  const assumed =
    typeof assumption === 'string'
      ? html`<p><strong>Assumed:</strong> ${proseLine(assumption)} This may change.</p>`
      : undefined
  return html`<div class="note unknown" role="note"><p><strong>Not shown:</strong> ${proseLine(notShown)}</p>${assumed}</div>`
}

/** A note on the values of a sample that have no example in the document. */
export function sampleNote(names: readonly string[]): HtmlContent {
  if (names.length === 0) return undefined
  const [last = '', ...others] = [...names].reverse()
  const all = others.length > 0 ? `${others.reverse().join(', ')} and ${last}` : last
  return html`<p class="made-up">Generated, because the document has no example: ${all}.</p>`
}

/** The guarantees for an operation apart from its schemas: stability, key, idempotence, limits. */
export function promises(operation: Operation): HtmlContent {
  const { stability, access, idempotent, limits } = operation
  const marks = [
    stability && html`<li class="mark stability-${stability}">${STABILITY[stability]}</li>`,
    securityWords(operation) && html`<li class="mark">${securityWords(operation)}</li>`,
    access && html`<li class="mark">${access === 'key' ? 'needs a key' : 'public, no key'}</li>`,
    idempotent && html`<li class="mark">may be repeated</li>`,
    limitWords(limits) && html`<li class="mark">${limitWords(limits)}</li>`,
  ].filter(Boolean)
  return marks.length > 0 && html`<ul class="marks" aria-label="CommonFields">${marks}</ul>`
}

export const STABILITY = {
  draft: 'draft',
  alpha: 'alpha, experimental',
  beta: 'beta',
  stable: 'stable',
} as const

/** The lifecycle of a deprecated or ending operation: its stability, dates, and what to call instead. */
export function life(page: Page, operation: Operation): HtmlContent {
  const { deprecated, deprecatedAt, sunset, stability } = operation
  if (!deprecated && deprecatedAt === undefined && sunset === undefined) return undefined
  const lead = deprecated
    ? html`<strong>Deprecated.</strong> New code should not use it.`
    : html`<strong>${sunset === undefined ? 'It will be deprecated.' : 'It will end.'}</strong>`
  const steps = [
    stability && html`<li>Stability: ${STABILITY[stability]}</li>`,
    deprecatedAt && html`<li>Deprecated since ${day(deprecatedAt)}</li>`,
    sunset && html`<li>Ends on ${day(sunset)}</li>`,
  ].filter(Boolean)
  const hasDates = deprecatedAt !== undefined || sunset !== undefined
  const timeline =
    hasDates && html`<ol class="timeline" aria-label="Life of the operation">${steps}</ol>`
  return html`<div class="note deprecated" role="note"><p>${lead}${instead(page, operation)}</p>${timeline}</div>`
}

const day = (written: string): HtmlContent =>
  dayOf(written) === undefined ? written : html`<time datetime="${written}">${written}</time>`

function instead(page: Page, operation: Operation): Html | undefined {
  const successor = successorOf(operation, page.site.api)
  if (successor === undefined) return undefined
  const link =
    'url' in successor
      ? html`<a href="${successor.url}">${successor.url}</a>`
      : operationLink(page, successor.operation)
  return html` Use ${link} instead.`
}

/**
 * The open questions within an operation and the components that it refers to. Its own note and those of schemas are shown
 * elsewhere.
 */
export function unknownsIn(site: Site, operation: Operation): readonly Unknown[] {
  const home = placeOf(site, operation)
  if (home === undefined) return []
  const homes = [home.place, ...referred(home.node, site, operation.kind)]
  return site.unknowns.filter(
    ({ place }) =>
      !place.includes('schema') &&
      (homes.some((one, at) => begins(place, one) && (at > 0 || place.length > one.length)) ||
        isOfPath(place, operation)),
  )
}

/** The open question about a parameter or param of an operation. */
export const unknownOf = (
  unknowns: readonly Unknown[],
  name: string,
  place?: string,
): Unknown | undefined => unknowns.find(({ holder }) => holder.name === name && holder.in === place)

/** Whether a note on a path applies to each of its operations, such as one on its servers. */
const isOfPath = (place: readonly string[], operation: Operation): boolean =>
  operation.kind === 'http' &&
  begins(place, ['http', 'paths', operation.path]) &&
  !FIELDS.has(place[3] ?? '')

/** The fields of a path item that hold operations. */
const FIELDS: ReadonlySet<string> = new Set([...PATH_METHODS, 'additionalOperations'])

/** The open questions of the documents themselves, outside of operations and components. */
export const unknownsOfDocuments = ({ unknowns }: Site): readonly Unknown[] =>
  unknowns.filter(
    ({ place }) => !(place[1] === 'paths' || place[1] === 'methods' || place[1] === 'components'),
  )

const begins = (place: readonly string[], start: readonly string[]): boolean =>
  start.every((name, at) => place[at] === name)

function placeOf({ api }: Site, operation: Operation) {
  const { kind } = operation
  const document = api[kind]?.bundled
  if (document === undefined) return undefined
  if (kind === 'http') {
    const { path, method } = operation
    const item = isObject(document.paths) ? document.paths[path] : undefined
    const { node, place = [] } = operationIn(item, method) ?? {}
    return { node, place: [kind, 'paths', path, ...place] }
  }
  const methods = Array.isArray(document.methods) ? document.methods : []
  const at = methods.findIndex((one) => isObject(one) && one.name === operation.method)
  return at < 0 ? undefined : { node: methods[at], place: [kind, 'methods', String(at)] }
}

/** The components that a node refers to, directly or indirectly, except schemas. */
function referred(node: unknown, { api }: Site, kind: Operation['kind']) {
  const found = new Map<string, readonly string[]>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if (isReference(value) && !found.has(value.$ref)) {
      const [, , section = '', name = ''] = segmentsOf(value.$ref)
      const components = api[kind]?.bundled.components
      const shelf = isObject(components) ? components[section] : undefined
      if (section === 'schemas' || !isObject(shelf)) return
      found.set(value.$ref, [kind, 'components', section, name])
      visit(shelf[name])
    }
    for (const member of Object.values(value)) visit(member)
  }
  visit(node)
  return [...found.values()]
}

/** The servers of documents, for `serverTable`. */
export const serverRows = (
  documents: readonly (HttpDocument | RpcDocument)[],
): readonly ServerRow[] =>
  documents.flatMap((document) =>
    document.servers.map((server) => ({ server, protocol: protocolOf(document) })),
  )

type ServerRow = { readonly server: Server; readonly protocol: string }

/** A table of servers by name: their addresses, variables and chains. */
export function serverTable(rows: readonly ServerRow[]): Html {
  const hasChains = rows.some(({ server }) => server.chainId !== undefined)
  const cells = rows.map(({ server: { name, url, variables, chainId }, protocol }) => {
    const filled = Object.entries(variables).map(([variable, { default: value, secret }]) =>
      secret
        ? html`<code>${variable}</code> is secret`
        : html`<code>${variable}</code> = <code>${inSentence(value)}</code>`,
    )
    return html`<tr><th scope="row">${name}</th><td>${protocol}</td><td><code>${breakable(url)}</code></td><td>${filled.length > 0 ? separated(filled, ', ') : '–'}</td>${hasChains && html`<td>${chainId ?? '–'}</td>`}</tr>`
  })
  return html`<div class="wide" tabindex="0" role="group" aria-label="Servers"><table><thead><tr><th scope="col">name</th><th scope="col">protocol</th><th scope="col">address</th><th scope="col">variables</th>${hasChains && html`<th scope="col">chain id</th>`}</tr></thead><tbody>${cells}</tbody></table></div>`
}
