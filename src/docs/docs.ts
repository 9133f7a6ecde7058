import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Api } from '../model/api.js'
import { withExactExamples } from '../model/exact-examples.js'
import { unknownsOf } from '../model/unknowns.js'
import { createSampler } from '../schema/readable.js'
import type { Html } from '../text/html.js'
import { brandStyle } from './brand.js'
import { clientsOf } from './client-languages.js'
import { errorsPage } from './errors-page.js'
import { operationGroups } from './groups.js'
import { layout, type PageContent } from './layout.js'
import { llmsText, markdownOf } from './markdown.js'
import { operationPage } from './operation-page.js'
import { overview } from './overview.js'
import { plainText } from './prose.js'
import { schemaPage, schemasPage, usersOf } from './schema-page.js'
import { searchIndex } from './search-index.js'
import { sentPage } from './sent-page.js'
import {
  guidesOf,
  markdownFile,
  type Page,
  pageFiles,
  SENT_FILE,
  SITE_MARK,
  type Site,
  type SiteOptions,
} from './site.js'
import { authenticationPage, changelogPage, quickStartPage } from './start-pages.js'
import { tryScript } from './try-data.js'
import { tryFile } from './try-part.js'
import { createUsagePart } from './usage-part.js'

/**
 * The reference of both documents as a static site: path below the site's folder -> text. It works under any path and from a
 * disk, and loads nothing from other hosts.
 */
export function writeDocs(input: Api, options: SiteOptions = {}): readonly DocsFile[] {
  const api = withExactExamples(input)
  const documents = [api.http, api.rpc].flatMap((one) => (one ? [one.title] : []))
  const site: Site = {
    api,
    title: options.title ?? (documents.length > 0 ? [...new Set(documents)].join('; ') : api.title),
    options,
    groups: operationGroups(api),
    operationFiles: pageFiles(
      'operations',
      api.operations.map(({ id }) => id),
    ),
    schemaFiles: pageFiles('schemas', api.schemas.keys()),
    unknowns: unknownsOf(api),
    usagePart: options.usage && createUsagePart(api.schemas, options.usage),
    madeUp: createSampler(api.schemas),
    clients: clientsOf(api, options),
  }
  return [...pages(site), ...assets(site), ...tries(site)]
}

/** A file of the site: its path below the folder, and its content. */
export type DocsFile = { readonly name: string; readonly text: string }

function pages(site: Site): readonly DocsFile[] {
  const { api } = site
  const changelog = () => changelogPage(site.options.changelog ?? '')
  const users = usersOf(api.operations, api.schemas)
  const page = (content: Omit<PageContent, 'content'>, write: (page: Page) => Html) => {
    site.options.show?.(`writing ${content.current}`)
    const up = content.current.includes('/') ? '../' : ''
    const from: Page = { site, up, shown: new Set() }
    const written = write(from)
    return [
      { name: content.current, text: layout(from, { ...content, content: written }) },
      {
        name: markdownFile(content.current),
        text: `<!-- ${SITE_MARK} from the documents. Do not edit. -->\n\n${markdownOf(written)}`,
      },
    ]
  }
  return [
    ...guidesOf(site).flatMap(([title, current]) => {
      const write = current === 'changelog.html' ? changelog : GUIDES[current]
      const name = current === 'index.html' ? site.title : title
      return write === undefined ? [] : page({ title: name, current }, write)
    }),
    ...api.operations.flatMap((operation) =>
      page(
        {
          title: plainText(operation.summary ?? operation.id),
          summary: operation.description && plainText(operation.description).slice(0, 200),
          current: site.operationFiles.get(operation.id) ?? '',
        },
        (own) => operationPage(own, operation),
      ),
    ),
    ...[...api.schemas.values()].flatMap((schema) =>
      page({ title: schema.name, current: site.schemaFiles.get(schema.name) ?? '' }, (own) =>
        schemaPage(own, schema, users),
      ),
    ),
  ]
}

const GUIDES: Readonly<Record<string, (page: Page) => Html>> = {
  'index.html': overview,
  'quick-start.html': quickStartPage,
  'authentication.html': authenticationPage,
  'errors.html': errorsPage,
  'schemas.html': schemasPage,
  [SENT_FILE]: sentPage,
}

const assets = (site: Site): readonly DocsFile[] => [
  {
    name: 'style.css',
    text: `/* ${SITE_MARK}. Do not edit. */\n${beside('style.css')}${brandStyle(site.options.brand ?? {})}`,
  },
  { name: 'llms.txt', text: llmsText(site) },
  ...['theme', 'page', 'search', 'try-it'].map((name) => ({
    name: `${name}.js`,
    text: `// ${SITE_MARK}. Do not edit.\n${pageScript(name)}`,
  })),
  { name: 'search-index.js', text: searchIndex(site) },
]

const beside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** A module of `page/` as a classic script, bundled when the package was built (`scripts/assets.mjs`). */
const pageScript = (name: string): string => {
  if (existsSync(new URL(`scripts/${name}.js`, import.meta.url)))
    return beside(`scripts/${name}.js`)
  // A clone has no built scripts, but has the bundler.
  const { buildSync }: Bundler = createRequire(import.meta.url)('esbuild')
  const entry = fileURLToPath(new URL(`page/${name}.ts`, import.meta.url))
  const options = { bundle: true, minify: true, format: 'iife', target: 'es2022', charset: 'utf8' }
  return buildSync({ ...options, entryPoints: [entry], write: false }).outputFiles[0]?.text ?? ''
}

type Bundler = {
  readonly buildSync: (options: object) => { readonly outputFiles: readonly { text: string }[] }
}

const tries = (site: Site): readonly DocsFile[] =>
  site.api.operations.map((operation) => ({
    name: tryFile({ site }, operation.id),
    text: tryScript(site, operation),
  }))
