import type { RpcOperation } from '../model/api.js'
import { type Html, html } from './html.js'
import { prose } from './prose.js'
import { schemaTree } from './schema-tree.js'
import { anchor, type Page } from './site.js'

/** What the server sends to its clients by JSON-RPC: notifications, and requests that they respond to. */
export function serverMethodsPage(page: Page): Html {
  return html`<article><h1>Sent by the server</h1>
<p>The server sends these over an open connection. Clients do not call them.</p>
${page.site.api.serverMethods.map((method) => serverMethod(page, method))}</article>`
}

function serverMethod(page: Page, operation: RpcOperation): Html {
  const { method, summary, description, params, result, isNotification } = operation
  const id = anchor('sent', method)
  const rows = params.map(
    ({ name, required, schema, ...words }) =>
      html`<li><p class="row"><code class="key">${name}</code> <span class="${required ? 'required' : 'optional'}">${required ? 'required' : 'optional'}</span></p>${prose(words.description ?? words.summary)}${schemaTree(page, schema)}</li>`,
  )
  const list = rows.length > 0 ? html`<ol class="tree">${rows}</ol>` : html`<p>None.</p>`
  const answer = isNotification
    ? html`<p>A notification: the client sends no response.</p>`
    : html`<h3>Result that the client returns</h3>${prose(result.description)}${schemaTree(page, result.schema)}`
  return html`<section aria-labelledby="${id}"><h2 id="${id}"><code>${method}</code></h2>${prose(description ?? summary)}<h3>Params</h3>${list}${answer}</section>`
}
