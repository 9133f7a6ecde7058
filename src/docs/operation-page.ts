import type { Operation } from '../model/api.js'
import type { Unknown } from '../model/unknowns.js'
import { type Html, html, type Printable } from './html.js'
import { httpParts } from './http-parts.js'
import { deprecation, promises, unknownNote } from './notes.js'
import { prose, proseLine } from './prose.js'
import { rpcParts } from './rpc-parts.js'
import { type Page, protocolOf } from './site.js'
import { tryPart } from './try-part.js'
import { unknownsIn } from './unknowns-in.js'

/** What a page says of one operation or method: everything that the documents do. */
export function operationPage(page: Page, operation: Operation): Html {
  const { summary, description, notShown, assumption, id } = operation
  const open = unknownsIn(page.site, operation)
  const inner =
    operation.kind === 'http' ? httpParts(page, operation, open) : rpcParts(page, operation, open)
  return html`<article data-operation="${id}">
<h1>${summary ? proseLine(summary.replace(/\.$/, '')) : id}</h1>
${wire(operation)}
${promises(operation)}
${deprecation(operation)}
${description === summary ? undefined : prose(description, 2)}
${unknownNote(notShown, assumption)}
${tryPart(page, operation)}
${inner}
${placed(open.filter((one) => !hasLine(one)))}
</article>`
}

/** How it goes over the wire: protocol, verb, and where to. */
export function wire(operation: Operation): Html {
  const verb =
    operation.kind === 'http'
      ? html`<span class="verb verb-${operation.method.toLowerCase()}">${operation.method}</span> <code>${broken(operation.path)}</code>`
      : html`<span class="verb verb-rpc">method</span> <code>${operation.method}</code>`
  return html`<p class="wire"><span class="protocol">${protocolOf(operation)}</span> ${verb} <span class="id">as a function: <code>${operation.id}</code></span></p>`
}

/** A path may be broken behind its slashes. */
const broken = (path: string): Printable =>
  path.split(/(?<=\/)/).map((piece) => html`${piece}<wbr>`)

/** Parameters and params say it themselves. */
const hasLine = ({ holder }: Unknown): boolean => typeof holder.name === 'string'

/** What is not shown in a place below the operation that has no line of its own on the page. */
const placed = (unknowns: readonly Unknown[]): Printable =>
  unknowns.length > 0 &&
  html`<section aria-labelledby="open"><h2 id="open">Left open elsewhere in it</h2>${unknowns.map(
    ({ notShown, assumption, place }) =>
      html`<p class="place">${place.slice(1).join(' › ')}</p>${unknownNote(notShown, assumption)}`,
  )}</section>`
