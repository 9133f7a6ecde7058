import type { HttpOperation, Operation, RpcOperation, Variant } from '../model/api.js'
import type { HttpParameter, HttpResponse, MediaType } from '../model/http-content.js'
import type { Unknown } from '../model/unknowns.js'
import type { Server } from '../runtime/operation.js'
import { holdsItems } from '../runtime/shared/codecs.js'
import { referredName } from '../schema/schema.js'
import { jsonText } from '../text/escape.js'
import { breakable, type Html, type HtmlContent, html, separated } from '../text/html.js'
import { json } from './html.js'
import {
  life,
  promises,
  sampleNote,
  serverTable,
  unknownNote,
  unknownOf,
  unknownsIn,
} from './notes.js'
import { prose, proseLine } from './prose.js'
import { rpcExamples, rpcParts } from './rpc-parts.js'
import { codeSamples, httpSample } from './samples.js'
import { schemaTree } from './schema-tree.js'
import {
  anchor,
  anchorsOf,
  operationLink,
  type Page,
  protocolOf,
  SENT_FILE,
  schemaLink,
  statusName,
} from './site.js'
import { tryLinks, tryPart } from './try-part.js'

/** The page of one operation or method, with all information of the documents. */
export function operationPage(page: Page, operation: Operation): Html {
  const { summary, description, notShown, assumption, id } = operation
  const open = unknownsIn(page.site, operation)
  const inner =
    operation.kind === 'http' ? httpParts(page, operation, open) : rpcParts(page, operation, open)
  return html`<article class="operation" data-operation="${id}">
<div class="lead-in">
<h1>${summary ? proseLine(summary.replace(/\.$/, '')) : id}</h1>
${wire(operation)}
${operation.kind === 'rpc' && direction(page, operation)}
${promises(operation)}
${life(page, operation)}
${description === summary ? undefined : prose(description, 2)}
${unknownNote(notShown, assumption)}
</div>
${samples(page, operation)}
<div class="parts">
${tryPart(page, operation)}
${inner}
${page.site.usagePart?.operation(operation)}
${placed(open.filter((one) => !hasLine(one)))}
</div>
</article>`
}

function samples(page: Page, operation: Operation): HtmlContent {
  const requests =
    operation.kind === 'http' ? httpExamples(page, operation) : rpcExamples(page, operation)
  const responses = operation.kind === 'http' ? responseExamples(operation) : undefined
  return html`<aside class="samples" aria-label="Samples"><section aria-labelledby="examples"><h2 id="examples">Examples</h2>${requests}</section>${responses}</aside>`
}

function wire(operation: Operation): Html {
  const verb =
    operation.kind === 'http'
      ? html`<span class="verb verb-${operation.method.toLowerCase()}">${operation.method}</span> <code>${breakable(operation.path)}</code>`
      : html`<span class="verb verb-rpc">method</span> <code>${operation.method}</code>`
  return html`<p class="wire"><span class="protocol">${protocolOf(operation)}</span> ${verb} <span class="id">as a function: <code>${operation.id}</code></span></p>`
}

/** A method that both sides call is also among those that the server sends. */
const direction = (page: Page, { method, isNotification }: RpcOperation): HtmlContent => {
  const isBoth = page.site.api.serverMethods.some((one) => one.method === method)
  const words = isNotification ? 'A notification: it has no response.' : ''
  if (!isBoth) return words && html`<p>${words}</p>`
  return html`<p>${words} Clients and <a href="${page.up}${SENT_FILE}#${anchor('sent', method)}">the server</a> send it.</p>`
}

/** Notes on parameters and params are shown next to them. */
const hasLine = ({ holder }: Unknown): boolean => typeof holder.name === 'string'

/** The open questions of places that are not shown separately on the page. */
const placed = (unknowns: readonly Unknown[]): HtmlContent =>
  unknowns.length > 0 &&
  html`<section aria-labelledby="open"><h2 id="open">Left open elsewhere in it</h2>${unknowns.map(
    ({ notShown, assumption, place }) =>
      html`<p class="place">${place.slice(1).join(' › ')}</p>${unknownNote(notShown, assumption)}`,
  )}</section>`

/** Parameters, body, variants, responses and next calls of an HTTP operation. */
const httpParts = (page: Page, operation: HttpOperation, open: readonly Unknown[]): HtmlContent => [
  servers(page, operation),
  parameters(page, operation, open),
  body(page, operation),
  variants(page, operation),
  answers(page, operation),
  next(page, operation),
]

function servers(page: Page, operation: HttpOperation): HtmlContent {
  const jsonOf = (all: readonly Server[]) => JSON.stringify(all)
  if (jsonOf(operation.servers) === jsonOf(page.site.api.http?.servers ?? [])) return undefined
  return html`<section aria-labelledby="servers"><h2 id="servers">Servers of its own</h2>${serverTable(operation.servers.map((server) => ({ server, protocol: 'HTTP' })))}</section>`
}

function parameters(
  page: Page,
  { parameters: all }: HttpOperation,
  open: readonly Unknown[],
): HtmlContent {
  if (all.length === 0) return undefined
  return html`<section aria-labelledby="parameters"><h2 id="parameters">Parameters</h2><ul class="tree">${all.map((one) => parameter(page, one, open))}</ul></section>`
}

const parameter = (page: Page, one: HttpParameter, open: readonly Unknown[]): Html => {
  const unknown = unknownOf(open, one.name, one.in)
  const marks = [
    html`<span class="place">in ${one.in === 'path' || one.in === 'query' ? `the ${one.in}` : `a ${one.in}`}</span> `,
    one.required
      ? html`<span class="required">required</span>`
      : html`<span class="optional">optional</span>`,
    one.secret && html` <span class="secret">secret, never shown in errors or logs</span>`,
    one.deprecated && html` <span class="forbidden">deprecated</span>`,
  ]
  const shown = one.secret
    ? []
    : one.examples.map(({ value }) => html`<code>${textOf(value)}</code>`)
  return html`<li id="${anchor('parameter', one.in, one.name)}"><p class="row"><code class="key">${one.name}</code> ${marks}</p>${prose(one.description)}${unknownNote(unknown?.notShown, unknown?.assumption)}${schemaTree(page, one.schema, { anchors: `${anchor('parameter', one.in, one.name)}:` })}${
    shown.length > 0 && html`<p class="shown">For example ${separated(shown, ', ')}</p>`
  }</li>`
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value))

function body(page: Page, { body: declared }: HttpOperation): HtmlContent {
  if (!declared) return undefined
  return html`<section aria-labelledby="body"><h2 id="body">Request body</h2><p>${declared.required ? 'Required.' : 'Optional.'}</p>${prose(declared.description, 3)}${declared.content.map((media, at) => mediaType(page, media, at === 0 ? 'body--' : `body@${at + 1}:`))}</section>`
}

/** The schema of a body; a link if the page has already shown it. */
export function mediaType(page: Page, media: MediaType, anchors: string): Html {
  const { type, codec, schema, stream } = media
  const name = referredName(schema)
  const isShown = name !== undefined && page.shown.has(name)
  if (name !== undefined) page.shown.add(name)
  const tree = isShown
    ? html`<p class="type">${schemaLink(page, name)}, as above</p>`
    : schemaTree(page, schema, { anchors })
  return html`<div class="media"><p class="media-type"><code>${type}</code>${stream && html`: a stream; each item is`}${!stream && holdsItems(codec) && html`: the items of a list, one after another`}</p>${tree}</div>`
}

/** The table of variants: the request variant decides the response variant. */
function variants(page: Page, { variants: all }: HttpOperation): HtmlContent {
  if (all.length === 0) return undefined
  const links = (names: readonly string[]): HtmlContent =>
    names.length > 0
      ? separated(
          names.map((name) => schemaLink(page, name)),
          ' or ',
        )
      : '–'
  const row = ({ name, request, responses, errors, example }: Variant) =>
    html`<tr id="${anchor('form', name)}"><th scope="row">${name}</th><td>${links([request])}</td><td>${links(responses)}</td><td>${links(errors)}</td><td>${
      example === undefined ? '–' : html`<a href="#${anchor('example', example)}">${example}</a>`
    }</td></tr>`
  return html`<section aria-labelledby="variants"><h2 id="variants">Variants</h2><p>The variant of a request decides the variant of its answer. No request is of two variants.</p><div class="wide" tabindex="0" role="group" aria-label="Variants"><table><thead><tr><th scope="col">variant</th><th scope="col">request</th><th scope="col">answer</th><th scope="col">error under a 2xx</th><th scope="col">example</th></tr></thead><tbody>${all.map(row)}</tbody></table></div></section>`
}

function answers(page: Page, operation: HttpOperation): HtmlContent {
  const all = operation.responses.map((response) => answer(page, response))
  return html`<section aria-labelledby="responses"><h2 id="responses">Responses</h2>${all}</section>`
}

function answer(page: Page, response: HttpResponse): Html {
  const { status, description, headers, content } = response
  const id = anchor('response', status)
  const header = ({ name, required, description: words, schema }: (typeof headers)[number]) =>
    html`<li><p class="row"><code class="key">${name}</code> <span class="place">header</span> <span class="${required ? 'required' : 'optional'}">${required ? 'always' : 'sometimes'}</span></p>${prose(words)}${schemaTree(page, schema)}</li>`
  return html`<section class="answer status-${status[0] ?? ''}" aria-labelledby="${id}"><h3 id="${id}">${statusName(status)}</h3>${prose(description, 4)}${
    headers.length > 0 && html`<ul class="tree">${headers.map(header)}</ul>`
  }${content.length === 0 ? html`<p>No body is described.</p>` : content.map((media, at) => mediaType(page, media, `${id}@${at + 1}:`))}</section>`
}

/** Which operations to call next with values of a response, and how to poll. */
function next(page: Page, operation: HttpOperation): HtmlContent {
  const { poll, links } = operation
  if (!poll && links.length === 0) return undefined
  const targets = new Map(page.site.api.operations.map((one) => [one.id, one]))
  const rows = links.flatMap(({ name, status, operation: id, parameters: declared }) => {
    const target = targets.get(id)
    if (!target) return []
    const from = Object.entries(declared).map(
      ([key, value]) => html`<code>${key}</code> from <code>${textOf(value)}</code>`,
    )
    const words = from.length > 0 ? html`, with ${separated(from, ' and ')}` : undefined
    return [
      html`<li id="${anchor('link', status, name)}">after a ${status}, ${operationLink(page, target)}${words}</li>`,
    ]
  })
  const again =
    poll &&
    html`<p id="poll">Poll until <code>${poll.field}</code> is ${separated(
      poll.terminal.map((value) => html`<code>${value}</code>`),
      ' or ',
    )}.${
      poll.order.length > 0 &&
      html` Its values follow each other: ${separated(
        poll.order.map((value) => html`<code>${value}</code>`),
        ' → ',
      )}.`
    }</p>`
  return html`<section aria-labelledby="next"><h2 id="next">What to call next</h2>${again}${rows.length > 0 && html`<ul>${rows}</ul>`}</section>`
}

function httpExamples(page: Page, operation: HttpOperation): HtmlContent {
  const bodies = (operation.body?.content ?? []).flatMap((media) =>
    media.examples.map((example) => ({ media, example })),
  )
  const shown = bodies.length > 0 ? bodies : [undefined]
  const names = shown.map((sent) => sent?.example.name ?? operation.id)
  const [ids, links] = [anchorsOf('example', names), tryLinks(names)]
  return shown.map((sent, at) => {
    const name = names[at] ?? operation.id
    const sample = httpSample(page.site, operation, sent)
    return html`<details class="example"${at === 0 && html` open`}><summary><h3 id="${ids[at]}">${sent?.example.summary ? proseLine(sent.example.summary) : name}</h3></summary>${sampleNote(sample.madeUp)}${codeSamples(name, sample)}${links[at]}</details>`
  })
}

/** The example responses by status; the first is open. */
function responseExamples({ responses }: HttpOperation): HtmlContent {
  const all = responses.flatMap(({ status, content }) =>
    content.flatMap(({ examples }) => examples.map((example) => ({ status, ...example }))),
  )
  if (all.length === 0) return undefined
  const ids = anchorsOf(
    'response',
    all.map(({ status, name }) => `${status}--example--${name}`),
  )
  const blocks = all.map(
    ({ status, name, summary, value }, at) =>
      html`<details class="example"${at === 0 && html` open`}><summary><h3 id="${ids[at]}"><span class="status-${status[0] ?? ''}">${status}</span> ${summary ? proseLine(summary) : name}</h3></summary>${json(`${status}, ${summary ?? name}`, value)}</details>`,
  )
  return html`<section aria-labelledby="response-examples"><h2 id="response-examples">Example responses</h2>${blocks}</section>`
}
