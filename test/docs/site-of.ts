import { type DocsFile, writeDocs } from '../../src/docs/docs.js'
import type { SiteOptions } from '../../src/docs/site.js'
import type { Api } from '../../src/model/api.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'

/** The site of `spec/`, and the Api that it was written from. */
export const siteOfSpec = async (): Promise<WrittenSite> => {
  const documents = {
    openapi: 'spec/openapi.yaml',
    openrpc: 'spec/openrpc.yaml',
    arazzo: 'spec/workflows.arazzo.yaml',
  }
  return written(await loadApi(documents))
}

/** The site of documents that are given as data. */
export const siteOf = async (documents: Documents, options?: SiteOptions): Promise<WrittenSite> => {
  return written(await apiOfData(documents), options)
}

/** The Api of documents that are given as data. */
export const apiOfData = (documents: Documents): Promise<Api> => {
  const given = Object.entries(documents).map(([kind, value]) => [
    kind,
    parseDocument(JSON.stringify(value), `${kind}.json`),
  ])
  return loadApi(Object.fromEntries(given))
}

type Documents = { readonly openapi?: object; readonly openrpc?: object }

export type WrittenSite = {
  readonly api: Api
  readonly files: readonly DocsFile[]
  /** The text of a file. Throws where there is none. */
  readonly file: (name: string) => string
  /** What a reader sees of it: no tags, no entities, blanks as one. */
  readonly read: (name: string) => string
}

const written = (api: Api, options?: SiteOptions): WrittenSite => {
  const files = writeDocs(api, options)
  const texts = new Map(files.map(({ name, text }) => [name, text]))
  const file = (name: string) => {
    const text = texts.get(name)
    if (text === undefined) throw new Error(`the site has no ${name}`)
    return text
  }
  return { api, files, file, read: (name) => readable(file(name)) }
}

export const readable = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => CHARACTERS[name] ?? '')
    .replace(/\s+/g, ' ')

const CHARACTERS: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  amp: '&',
}
