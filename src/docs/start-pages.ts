import type { Api, Operation } from '../model/api.js'
import { credentialsOf, needsNoCredential } from '../model/credentials.js'
import { sampleParams } from '../model/sample-request.js'
import { type Html, type HtmlContent, html } from '../text/html.js'
import { errorsAddress } from './errors-page.js'
import { codeBlock } from './html.js'
import { serverRows, serverTable } from './notes.js'
import { prose, proseLine } from './prose.js'
import { codeSamples, httpSample, rpcSample } from './samples.js'
import { operationLink, type Page, protocolOf } from './site.js'

/** From zero to the first response: servers, credentials, the client, and a call that needs as little as possible. */
export function quickStartPage(page: Page): Html {
  const { api, options } = page.site
  const { packageName } = options
  const rows = serverRows([api.http, api.rpc].filter((one) => one !== undefined))
  const hasCredentials = credentialsOf(api).length > 0
  const install =
    packageName === undefined
      ? 'npx twinspec generate --out generated'
      : `npm install ${packageName}`
  return html`<article><h1>Quick start</h1>
${
  rows.length > 0 &&
  html`<section aria-labelledby="server"><h2 id="server">Choose a server</h2>${serverTable(rows)}</section>`
}
${
  hasCredentials &&
  html`<section aria-labelledby="key"><h2 id="key">Get credentials</h2><p><a href="${page.up}authentication.html">Authentication</a> lists which there are, and where each belongs.</p></section>`
}
<section aria-labelledby="client"><h2 id="client">Get the TypeScript client</h2><p>Every other language calls the service as the samples show.</p>${codeBlock('Command line', 'sh', install)}</section>
${(['http', 'rpc'] as const).map((kind) => firstCall(page, kind))}
<section aria-labelledby="next"><h2 id="next">What next</h2><ul><li>The page of each operation has its parameters, its responses and a form that sends requests.</li><li><a href="${errorsAddress(page)}">Errors</a> lists every status and code.</li></ul></section></article>`
}

function firstCall(page: Page, kind: Operation['kind']): HtmlContent {
  const { site } = page
  const operation = simplest(site.api, kind)
  if (operation === undefined) return undefined
  const params =
    operation.kind === 'http'
      ? undefined
      : (operation.examples[0] ?? sampleParams(operation, site.madeUp))
  const sample =
    operation.kind === 'http'
      ? httpSample(site, operation, undefined)
      : params && rpcSample(site, operation, params)
  if (sample === undefined) return undefined
  const id = `first-${kind}`
  return html`<section aria-labelledby="${id}"><h2 id="${id}">First ${protocolOf({ kind })} request</h2><p>${operationLink(page, operation)} ${proseLine(operation.summary)}</p>${codeSamples(operation.id, sample)}</section>`
}

/** The operation that requires the least: no credentials first, then read-only, then few parameters. */
const simplest = (api: Api, kind: Operation['kind']): Operation | undefined => {
  const weight = (one: Operation): number => {
    const isOpen = one.access === 'public' || (one.access === undefined && needsNoCredential(one))
    const inputs = one.kind === 'http' ? one.parameters : one.params
    const reads = one.kind === 'rpc' || one.method === 'GET'
    const needed = inputs.filter(({ required }) => required).length
    return (isOpen ? 0 : 100) + (reads ? 0 : 50) + (one.deprecated ? 200 : 0) + needed
  }
  const all = api.operations.filter((one) => one.kind === kind)
  return all.toSorted((one, other) => weight(one) - weight(other))[0]
}

/** The authentication page: each credential, where it is sent, and which operations need it. */
export function authenticationPage(page: Page): Html {
  const { api } = page.site
  const rows = credentialsOf(api).map(
    ({ name, where }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${proseLine(where)}</td></tr>`,
  )
  const names = credentialsOf(api).map(({ name }) => name)
  const members = [...new Set(names)].map(
    (name) => `    ${JSON.stringify(name)}: process.env.SECRET,`,
  )
  const client = ['createHttpClient({', '  auth: {', ...members, '  },', '})'].join('\n')
  const needs = (one: Operation): boolean =>
    one.access === 'key' || (one.kind === 'http' && one.security.some((all) => all.length > 0))
  const list = (title: string, id: string, all: readonly Operation[]) =>
    all.length > 0 &&
    html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><details><summary>${all.length === 1 ? 'one operation' : `${all.length} operations`}</summary><p class="many">${all.map((one) => html`${operationLink(page, one)} `)}</p></details></section>`
  return html`<article><h1>Authentication</h1>
<div class="wide" tabindex="0" role="group" aria-label="Credentials"><table><thead><tr><th scope="col">name</th><th scope="col">where it goes</th></tr></thead><tbody>${rows}</tbody></table></div>
<section aria-labelledby="in-code"><h2 id="in-code">In the client</h2><p>The TypeScript client takes each by its name, and never writes it to errors or logs. Leave out those that you do not use.</p>${codeBlock('TypeScript', 'ts', client)}</section>
${list('Operations that need credentials', 'needed', api.operations.filter(needs))}
${list(
  'Operations that need none',
  'open',
  api.operations.filter((one) => !needs(one)),
)}</article>`
}

/** The changelog since the compared version, from the Markdown of `twinspec diff`. */
export const changelogPage = (markdown: string): Html =>
  html`<article><h1>Changelog</h1>${prose(markdown, 2)}</article>`
