import type { RpcExample, RpcOperation, RpcVariant } from '../model/api.js'
import { parametersSchema } from '../model/params.js'
import { isShown, sampleParams } from '../model/sample-request.js'
import type { Unknown } from '../model/unknowns.js'
import { jsonText } from '../text/escape.js'
import { type Html, type HtmlContent, html } from '../text/html.js'
import { errorsAddress } from './errors-page.js'
import { codeBlock, json } from './html.js'
import { sampleNote, unknownNote, unknownOf } from './notes.js'
import { prose, proseLine } from './prose.js'
import { codeSamples, rpcSample } from './samples.js'
import { schemaTree } from './schema-tree.js'
import { anchor, anchorsOf, operationLink, type Page, SENT_FILE } from './site.js'
import { tryLinks } from './try-part.js'

/** Params, result and errors of a method. */
export const rpcParts = (
  page: Page,
  operation: RpcOperation,
  open: readonly Unknown[],
): HtmlContent => [
  params(page, operation, open),
  result(page, operation),
  variants(page, operation),
  subscription(page, operation),
  errors(page, operation),
]

const STRUCTURE = {
  'by-position': 'A list, in this order.',
  'by-name': 'An object, by these names.',
  either: 'A list in this order, or an object by these names.',
}

function params(
  page: Page,
  { params: all, paramStructure }: RpcOperation,
  open: readonly Unknown[],
): HtmlContent {
  const rows = all.map((one) => {
    const id = anchor('param', one.name)
    const unknown = unknownOf(open, one.name)
    return html`<li id="${id}">${paramRow(one)}${prose(one.description ?? one.summary)}${unknownNote(unknown?.notShown, unknown?.assumption)}${schemaTree(page, one.schema, { anchors: `${id}:` })}</li>`
  })
  const list =
    rows.length > 0
      ? html`<p>${STRUCTURE[paramStructure]}</p><ol class="tree numbered">${rows}</ol>`
      : html`<p>None.</p>`
  return html`<section aria-labelledby="params"><h2 id="params">Params</h2>${list}</section>`
}

export const paramRow = ({ name, required, deprecated }: RpcOperation['params'][number]): Html => {
  const words = required ? 'required' : 'optional'
  return html`<p class="row"><code class="key">${name}</code> <span class="${words}">${words}</span>${deprecated && html` <span class="forbidden">deprecated</span>`}</p>`
}

const result = (page: Page, { result: declared }: RpcOperation): Html =>
  html`<section aria-labelledby="result"><h2 id="result">Result</h2><p class="row"><code class="key">${declared.name}</code></p>${prose(declared.description, 3)}${schemaTree(page, declared.schema, { anchors: 'result--' })}</section>`

/** What the variants of the params lead to (`x-variants`). A variant is described by the params that it narrows. */
function variants(page: Page, operation: RpcOperation): HtmlContent {
  const { variants: all = [] } = operation
  const one = (variant: RpcVariant): Html => {
    const { name, params: narrowed, result: returned, item } = variant
    const id = anchor('form', name)
    const own = narrowed.filter(
      ({ schema, required }, at) =>
        schema !== operation.params[at]?.schema || required !== operation.params[at]?.required,
    )
    const rows = own.map(
      (each) =>
        html`<li>${paramRow(each)}${schemaTree(page, each.schema, { anchors: `${id}--${each.name}:` })}</li>`,
    )
    return html`<section aria-labelledby="${id}"><h3 id="${id}"><code>${name}</code></h3>${
      rows.length > 0 && html`<ul class="tree">${rows}</ul>`
    }<h4>Result</h4>${schemaTree(page, returned, { anchors: `${id}--result:` })}${
      item !== undefined &&
      html`<h4>Items</h4>${schemaTree(page, item, { anchors: `${id}--item:` })}`
    }</section>`
  }
  if (all.length === 0) return undefined
  return html`<section aria-labelledby="variants"><h2 id="variants">Variants</h2><p>The variant of the params decides the result. Other params have the result above.</p>${all.map(one)}</section>`
}

/** How the subscription that a method begins is received and ended (`x-subscription`). */
function subscription(page: Page, { subscription: declared, id }: RpcOperation): HtmlContent {
  if (declared === undefined) return undefined
  const { operations, serverMethods } = page.site.api
  const end = operations.find((one) => one.kind === 'rpc' && one.method === declared.unsubscribe)
  const sent = declared.notifications.map(({ method, item }) => {
    const isThere = serverMethods.some((one) => one.method === method)
    const name = isThere
      ? html`<a href="${page.up}${SENT_FILE}#${anchor('sent', method)}"><code>${method}</code></a>`
      : html`<code>${method}</code>`
    return html`<li>${name}: the id is at <code>${declared.id}</code>, the item at <code>${item}</code> of its params</li>`
  })
  const ending = end ? operationLink(page, end) : html`<code>${declared.unsubscribe}</code>`
  return html`<section aria-labelledby="subscription"><h2 id="subscription">Subscription</h2><p>The result is the id of a subscription. The server sends its items over the same connection, until the client calls ${ending} with the id.</p><ul>${sent}</ul>${codeBlock(
    'TypeScript, items',
    'ts',
    `for await (const item of rpc.subscribe.${id}(…)) console.log(item)`,
  )}</section>`
}

function errors(page: Page, { errors: all }: RpcOperation): HtmlContent {
  const ids = anchorsOf(
    'error',
    all.map(({ code }) => code),
  )
  const rows = all.map(
    ({ code, message, data }, at) =>
      html`<tr id="${ids[at]}"><th scope="row"><a href="${errorsAddress(page, code)}">${code}</a></th><td>${message}</td><td>${
        data === undefined ? '–' : html`<code>${jsonText(data)}</code>`
      }</td></tr>`,
  )
  const list =
    rows.length > 0
      ? html`<div class="wide" tabindex="0" role="group" aria-label="Errors"><table><thead><tr><th scope="col">code</th><th scope="col">message</th><th scope="col">data</th></tr></thead><tbody>${rows}</tbody></table></div>`
      : html`<p>The method declares none. What any request may meet is listed with <a href="${errorsAddress(page)}">all errors</a>.</p>`
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>${list}</section>`
}

/** Each example of a method in every language, with its response; a generated one if there is none. */
export function rpcExamples(page: Page, operation: RpcOperation): HtmlContent {
  if (operation.examples.length === 0) return madeUpExample(page, operation)
  const ids = anchorsOf(
    'example',
    operation.examples.map(({ name }) => name),
  )
  const links = tryLinks(operation.examples.map(({ name }) => name))
  return operation.examples.map((example, at) => {
    const { name, summary } = example
    const answered = answerOf(example)
    return html`<details class="example"${at === 0 && html` open`}><summary><h3 id="${ids[at]}">${summary ? proseLine(summary) : name}</h3></summary>${codeSamples(name, rpcSample(page.site, operation, example))}${links[at]}${
      answered &&
      json(`${example.outcome.kind === 'error' ? 'Error' : 'Response'}, ${name}`, answered)
    }</details>`
  })
}

function madeUpExample(page: Page, operation: RpcOperation): HtmlContent {
  const made = sampleParams(operation, page.site.madeUp)
  if (made === undefined) return undefined
  const { id, params } = operation
  const sent = made.params.length > 0 ? made.params : made.namedParams
  const isGenerated =
    params.length > 0 && !isShown(sent, parametersSchema(operation), page.site.api.schemas)
  return html`<details class="example" open><summary><h3 id="${anchorsOf('example', [id])[0]}">${id}</h3></summary>${sampleNote(isGenerated ? ['the params'] : [])}${codeSamples(id, rpcSample(page.site, operation, made))}</details>`
}

function answerOf({ outcome }: RpcExample) {
  if (outcome.kind === 'none') return undefined
  const shown = outcome.kind === 'result' ? { result: outcome.value } : { error: outcome.error }
  return { jsonrpc: '2.0', id: 1, ...shown }
}
