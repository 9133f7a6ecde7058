import type { Operation } from '../model/api.js'
import { nameOf } from '../model/operation-name.js'
import { breakable, type Html, type HtmlContent, html } from '../text/html.js'
import { operationsWithin } from './groups.js'
import {
  guidesOf,
  markdownFile,
  type OperationGroup,
  operationAddress,
  type Page,
  protocolOf,
  SITE_MARK,
} from './site.js'

/** A whole page: the parts that all pages share, and its content. */
export function layout(page: Page, { title, current, content, summary }: PageContent): string {
  const { up, site } = page
  const markdown = up + encodeURI(markdownFile(current))
  const name = title === site.title ? title : `${title} · ${site.title}`
  return html`<!doctype html><!-- ${SITE_MARK} from the documents. Do not edit. -->
<html lang="en" data-up="${up}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${summary && html`<meta name="description" content="${summary}">`}
<title>${name}</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${markdown}">
<link rel="stylesheet" href="${up}style.css">
<script src="${up}theme.js"></script>
<script src="${up}page.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<button type="button" class="menu" aria-expanded="false" aria-controls="sidebar" hidden>Menu</button>
<a class="home" href="${up}index.html">${site.title}</a>
<search class="search" hidden><input type="search" role="combobox" aria-label="Search operations, methods, schemas and errors" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search ( / )"><div id="results" role="listbox" aria-label="Results" hidden></div><p class="found" role="status"></p></search>
${site.options.links?.map(({ label, href }) => html`<a class="link" href="${href}" rel="noopener noreferrer">${label}</a>`)}
<button type="button" class="theme" hidden>Theme</button>
</header>
<div class="columns">
<nav id="sidebar" aria-label="Reference">${sidebar(page, current)}</nav>
<main id="content" tabindex="-1">${content}</main>
</div>
<footer><p>Written from the documents by Twinspec. <a href="${markdown}">This page in Markdown</a></p></footer>
</body>
</html>
`.text
}

/** Blocks all other hosts, except for requests of the try-it to the server that the reader selected. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  'connect-src http: https: ws: wss:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

export type PageContent = {
  readonly title: string
  readonly summary?: string | undefined
  /** The address of the page, relative to the top of the site. */
  readonly current: string
  readonly content: Html
}

function sidebar(page: Page, current: string): HtmlContent {
  const groups = page.site.groups
  const isLarge = page.site.api.operations.length > ALL_IN_SIGHT
  const kinds = [...new Set(groups.map(({ kind }) => kind))]
  return [
    html`<ul class="fixed">${guidesOf(page.site).map(([name, file]) => html`<li>${item(page.up + file, name, file === current)}</li>`)}</ul>`,
    kinds.map(
      (kind) =>
        html`<h2>${protocolOf({ kind })}</h2>${groups
          .filter((group) => group.kind === kind)
          .map((one) => groupPart(page, one, current, isLarge))}`,
    ),
  ]
}

/** With more operations than this, a page lists only those of its own groups. */
const ALL_IN_SIGHT = 250

function groupPart(page: Page, group: OperationGroup, current: string, isLarge: boolean): Html {
  const { operationFiles } = page.site
  const all = operationsWithin(group)
  const isHere = all.some(({ id }) => operationFiles.get(id) === current)
  if (isLarge && !isHere)
    return html`<p class="elsewhere"><a href="${page.up}index.html#${group.id}">${group.name} <span class="count">${all.length}</span></a></p>`
  const rows = group.operations.map(
    (operation) =>
      html`<li>${item(operationAddress(page, operation.id), label(operation), operationFiles.get(operation.id) === current)}</li>`,
  )
  return html`<details${isHere && html` open`}><summary>${group.name} <span class="count">${all.length}</span></summary>${rows.length > 0 && html`<ul>${rows}</ul>`}${group.groups.map((one) => groupPart(page, one, current, isLarge))}</details>`
}

const label = (operation: Operation): Html =>
  operation.kind === 'http'
    ? html`<span class="verb verb-${operation.method.toLowerCase()}">${operation.method}</span> ${operation.summary ?? breakable(operation.path)}`
    : html`<code>${breakable(nameOf(operation))}</code>`

const item = (href: string, words: HtmlContent, isCurrent: boolean): Html =>
  html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${words}</a>`
