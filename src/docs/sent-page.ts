import type { OutgoingRequest, RpcOperation } from '../model/api.js'
import { type Html, html, separated } from '../text/html.js'
import { codeBlock } from './html.js'
import { mediaType } from './operation-page.js'
import { prose, proseLine } from './prose.js'
import { paramRow } from './rpc-parts.js'
import { schemaTree } from './schema-tree.js'
import { anchor, anchorsOf, operationLink, type Page, statusName } from './site.js'

/** The page of what the server sends: JSON-RPC notifications and requests, webhooks and callbacks. */
export function sentPage(page: Page): Html {
  const { serverMethods, outgoing } = page.site.api
  const ids = anchorsOf(
    'sent',
    outgoing.map(({ name, method }) => `${name} ${method}`),
  )
  return html`<article><h1>Sent by the server</h1>
<p>Clients do not call these. The server sends methods over an open connection, and webhooks and callbacks to a URL of the client.</p>
${outgoing[0] && receiver(outgoing[0])}${serverMethods.map((method) => serverMethod(page, method))}
${outgoing.map((request, at) => outgoingRequest(page, request, ids[at] ?? ''))}</article>`
}

/** How a subscriber receives webhooks and callbacks with generated code. */
const receiver = ({ id }: OutgoingRequest): Html =>
  html`<p>The generated <code>webhooks.ts</code> receives webhooks and callbacks: it checks signatures and validates payloads.</p>${codeBlock(
    'TypeScript, receiver',
    'ts',
    `import { createWebhooks } from './generated/webhooks.js'

const webhooks = createWebhooks(
  {
    ${id}: (payload) => console.log(payload),
  },
  { secret: process.env.WEBHOOK_SECRET ?? '' },
)
export const receive = (request: Request) => webhooks.handle(request)`,
  )}`

function serverMethod(page: Page, operation: RpcOperation): Html {
  const { method, summary, description, result, isNotification } = operation
  const id = anchor('sent', method)
  const rows = operation.params.map(
    (one) =>
      html`<li>${paramRow(one)}${prose(one.description ?? one.summary)}${schemaTree(page, one.schema)}</li>`,
  )
  const list = rows.length > 0 ? html`<ol class="tree">${rows}</ol>` : html`<p>None.</p>`
  const answer = isNotification
    ? html`<p>A notification: the client sends no response.</p>`
    : html`<h3>Result that the client returns</h3>${prose(result.description)}${schemaTree(page, result.schema)}`
  const begun = page.site.api.operations.filter(
    (one) =>
      one.kind === 'rpc' && one.subscription?.notifications.some((each) => each.method === method),
  )
  const items =
    begun.length > 0 &&
    html`<p>It has the items of ${separated(
      begun.map((one) => operationLink(page, one)),
      ' and ',
    )}.</p>`
  return html`<section aria-labelledby="${id}"><h2 id="${id}"><code>${method}</code></h2>${prose(description ?? summary)}${items}${page.site.usagePart?.sent(operation)}<h3>Params</h3>${list}${answer}</section>`
}

function outgoingRequest(page: Page, request: OutgoingRequest, id: string): Html {
  const { kind, name, callback, method, body, responses } = request
  const of =
    callback &&
    html` of <code>${callback.method} ${callback.path}</code>, to <code>${callback.url}</code>`
  const sent =
    body === undefined
      ? html`<p>None.</p>`
      : html`${prose(body.description, 4)}${body.content.map((media, at) => mediaType(page, media, `${id}@${at + 1}:`))}`
  const expected = responses.map(
    ({ status, description }) => html`<li>${statusName(status)}: ${proseLine(description)}</li>`,
  )
  return html`<section aria-labelledby="${id}"><h2 id="${id}"><code>${name}</code></h2><p>A ${kind}${of}, by ${method}.</p>${prose(request.description ?? request.summary)}<h3>Body</h3>${sent}<h3>Response that the client returns</h3><ul>${expected}</ul></section>`
}
