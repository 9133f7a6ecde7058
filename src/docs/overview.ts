import type { Api, HttpDocument, Operation, RpcDocument } from '../model/api.js'
import { credentialsOf } from '../model/credentials.js'
import { extensionsUsed, limitWords } from '../model/extensions.js'
import { nameOf } from '../model/operation-name.js'
import { type Html, type HtmlContent, html, separated } from '../text/html.js'
import { STABILITY, serverRows, serverTable, unknownNote, unknownsOfDocuments } from './notes.js'
import { prose, proseLine } from './prose.js'
import {
  anchor,
  type OperationGroup,
  operationAddress,
  operationLink,
  type Page,
  protocolOf,
  SENT_FILE,
} from './site.js'

/** The first page: what the service is, its servers, authentication, and all operations. */
export function overview(page: Page): Html {
  const { api, title } = page.site
  const documents = [api.http, api.rpc].filter((one) => one !== undefined)
  return html`<article><h1>${title}</h1>
${
  documents.length === 1
    ? undefined
    : html`<p class="lead">Two documents, one reference: ${separated(
        documents.map(protocolOf),
        ' and ',
      )}.</p>`
}
${documents.map((document) => about(document, documents.length, title))}
${servers(documents)}
${authentication(page)}
${limits(documents)}
${operations(page)}
${stability(api)}
${workflows(page)}
${unknowns(page)}
${extensions(api)}</article>`
}

type Document = HttpDocument | RpcDocument

const about = (document: Document, count: number, site: string): Html => {
  const { kind, title, version, description } = document
  const name = count > 1 ? `${protocolOf({ kind })}: ${title}` : title === site ? 'Version' : title
  return html`<section aria-labelledby="about-${kind}"><h2 id="about-${kind}">${name} <span class="version">${version}</span></h2>${prose(description, 3)}</section>`
}

function servers(documents: readonly Document[]): HtmlContent {
  const rows = serverRows(documents)
  return (
    rows.length > 0 &&
    html`<section aria-labelledby="servers"><h2 id="servers">Servers</h2>${serverTable(rows)}</section>`
  )
}

function authentication(page: Page): Html {
  const { api } = page.site
  const rows = credentialsOf(api)
  const count = (access: Operation['access']) =>
    api.operations.filter((one) => one.access === access).length
  const [open, keyed] = [count('public'), count('key')]
  const note =
    open + keyed > 0 && html`<p>${open} need no key, ${keyed} need one; each page says which.</p>`
  const list =
    rows.length > 0
      ? html`<ul>${rows.map(({ name, where }) => html`<li><code>${name}</code>: ${proseLine(where)}</li>`)}</ul>`
      : html`<p>The documents name no credentials.</p>`
  return html`<section aria-labelledby="authentication"><h2 id="authentication">Authentication</h2>${list}${note}</section>`
}

function limits(documents: readonly Document[]): HtmlContent {
  const rows = documents.flatMap(({ kind, limits: declared }) => {
    const words = limitWords(declared)
    return words ? [html`<li>${protocolOf({ kind })}: ${words}</li>`] : []
  })
  return (
    rows.length > 0 &&
    html`<section aria-labelledby="limits"><h2 id="limits">Limits</h2><ul>${rows}</ul></section>`
  )
}

function operations(page: Page): Html {
  const parts = page.site.groups.flatMap((group) => groupParts(page, group, []))
  const sent = page.site.api.serverMethods.length + page.site.api.outgoing.length
  const aside =
    sent > 0 &&
    html`<p><a href="${page.up}${SENT_FILE}">Sent by the server</a>: ${sent} ${sent === 1 ? 'message' : 'messages'} that clients receive.</p>`
  return html`<section aria-labelledby="operations"><h2 id="operations">Operations and methods</h2>${parts}${aside}</section>`
}

/** A section for a group and one for each subgroup. Its title begins with the names of the groups `above`. */
function groupParts(page: Page, group: OperationGroup, above: readonly string[]): readonly Html[] {
  const { id, name, kind, description, operations: all, groups } = group
  const path = [...above, name]
  const rows = all.map(
    (operation) =>
      html`<tr><th scope="row"><a href="${operationAddress(page, operation.id)}"><code>${nameOf(operation)}</code></a></th><td>${proseLine(operation.summary)}${operation.deprecated && html` <span class="forbidden">deprecated</span>`}</td><td>${operation.stability ?? '–'}</td></tr>`,
  )
  const table =
    rows.length > 0 &&
    html`<div class="wide" tabindex="0" role="group" aria-label="${name}"><table class="operations"><thead><tr><th scope="col">on the wire</th><th scope="col">purpose</th><th scope="col">stability</th></tr></thead><tbody>${rows}</tbody></table></div>`
  return [
    html`<section aria-labelledby="${id}"><h3 id="${id}">${protocolOf({ kind })}: ${path.join(' › ')}</h3>${prose(description, 4)}${table}</section>`,
    ...groups.flatMap((one) => groupParts(page, one, path)),
  ]
}

function stability(api: Api): HtmlContent {
  const levels = (['stable', 'beta', 'alpha', 'draft'] as const).flatMap((level) => {
    const all = api.operations.filter((one) => one.stability === level)
    const kinds = [...new Set(all.map(protocolOf))].map(
      (name) => `${all.filter((one) => protocolOf(one) === name).length} of ${name}`,
    )
    return all.length > 0 ? [html`<li>${STABILITY[level]}: ${kinds.join(', ')}</li>`] : []
  })
  return (
    levels.length > 0 &&
    html`<section aria-labelledby="stability"><h2 id="stability">Stability</h2><ul>${levels}</ul></section>`
  )
}

function workflows(page: Page): HtmlContent {
  const { api } = page.site
  if (api.workflows.length === 0) return undefined
  const known = new Map(api.operations.map((one) => [one.id, one]))
  const rows = api.workflows.map(({ id, summary, description, steps }) => {
    const links = steps.map(({ target }) => {
      const operation = target.kind === 'operation' ? known.get(target.id) : undefined
      return operation
        ? operationLink(page, operation)
        : html`<a href="#${anchor('workflow', target.id)}">${target.id}</a>`
    })
    return html`<li id="${anchor('workflow', id)}"><strong>${id}</strong>: ${proseLine(summary)}${description !== summary && prose(description)}<p class="many">${separated(links, ' → ')}</p></li>`
  })
  return html`<section aria-labelledby="workflows"><h2 id="workflows">Workflows</h2><p>Sequences of calls.</p><ul class="tree">${rows}</ul></section>`
}

function unknowns(page: Page): HtmlContent {
  if (page.site.unknowns.length === 0) return undefined
  const own = unknownsOfDocuments(page.site)
  const each = new Map(own.map((one) => [`${one.notShown} ${one.assumption}`, one]))
  const rows = [...each.values()].map((one) => unknownNote(one.notShown, one.assumption))
  return html`<section aria-labelledby="unknowns"><h2 id="unknowns">What is not shown</h2><p>${page.site.unknowns.length} places of the documents are left open. Each is listed where it applies; these concern the whole service.</p>${rows}</section>`
}

function extensions(api: Api): HtmlContent {
  const used = extensionsUsed(api)
  return (
    used.length > 0 &&
    html`<section aria-labelledby="extensions"><h2 id="extensions">Extensions</h2><p>These declare facts that plain OpenAPI and OpenRPC cannot declare.</p><dl>${used.map(([name, note]) => html`<dt><code>${name}</code></dt><dd>${proseLine(note)}</dd>`)}</dl></section>`
  )
}
