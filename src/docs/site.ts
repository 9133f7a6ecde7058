import { STATUS_CODES } from 'node:http'
import type { Api, Operation } from '../model/api.js'
import type { Unknown } from '../model/unknowns.js'
import type { Sampler } from '../schema/readable.js'
import { type Html, html } from './html.js'

/** The whole reference: what is in it, and at which address. */
export type Site = {
  readonly api: Api
  readonly title: string
  readonly options: SiteOptions
  /** Id of an operation, or name of a schema -> its page, from the top of the site. */
  readonly operationFiles: ReadonlyMap<string, string>
  readonly schemaFiles: ReadonlyMap<string, string>
  readonly unknowns: readonly Unknown[]
  /** Values for samples of operations without examples. */
  readonly madeUp: Sampler
}

export type SiteOptions = {
  /** The text above the pages; else the documents' own titles. */
  readonly title?: string | undefined
  /** The package that the TypeScript of the examples imports its clients from; else `./generated`. */
  readonly packageName?: string | undefined
  /** `origin` where the service itself serves the site: what a try-it sends then goes to it, until a reader says otherwise. */
  readonly server?: 'origin' | undefined
  /** Gets how far it has come. */
  readonly tell?: ((words: string) => void) | undefined
}

/** A page as it is being written: links of it are relative, so that it works under any path and from a disk. */
export type Page = {
  readonly site: Site
  /** From the page to the top of the site: empty or `../`. */
  readonly up: string
  /** The schemas that it has shown whole, which are links from then on. */
  readonly shown: Set<string>
}

/** Pages of operations and schemas by their names. Two names that differ in case alone are one file to some systems. */
export function filesOf(folder: string, names: Iterable<string>): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  const files = new Map<string, string>()
  for (const name of names) {
    let file = name
    for (let at = 2; taken.has(file.toLowerCase()); at++) file = `${name}-${at}`
    taken.add(file.toLowerCase())
    files.set(name, `${folder}/${file}.html`)
  }
  return files
}

export const operationAddress = ({ site, up }: Page, id: string): string =>
  up + encodeURI(site.operationFiles.get(id) ?? '')

export const schemaLink = (page: Page, name: string): Html =>
  html`<a class="schema" href="${page.up + encodeURI(page.site.schemaFiles.get(name) ?? '')}">${name}</a>`

export const operationLink = (page: Page, operation: Operation): Html =>
  html`<a href="${operationAddress(page, operation.id)}"><code>${wireName(operation)}</code></a>`

/** What goes over the wire: `POST /orders`, `eth_call`. */
export const wireName = (operation: Operation): string =>
  operation.kind === 'http' ? `${operation.method} ${operation.path}` : operation.method

/** Of an operation, a document or a group of operations. */
export const protocolOf = ({ kind }: Pick<Operation, 'kind'>): string =>
  kind === 'http' ? 'HTTP' : 'JSON-RPC'

/** `404 Not Found`; the words of HTTP's own registry. */
export const statusName = (status: string): string => {
  if (status === 'default') return 'any other status'
  const words = STATUS_CODES[status] ?? STATUS_CLASSES[status[0] ?? '']
  return words ? `${status} ${words}` : status
}

const STATUS_CLASSES: Readonly<Record<string, string>> = {
  1: 'Informational',
  2: 'Success',
  3: 'Redirection',
  4: 'Client Error',
  5: 'Server Error',
}

/** A name as part of a fragment: letters, digits, `_`, `-` and `.`; the rest as `~` and its code. */
export const anchor = (...names: readonly (string | number)[]): string =>
  names
    .map((name) =>
      String(name).replace(
        /[^\w.-]/gu,
        (character) => `~${character.codePointAt(0)?.toString(16)}`,
      ),
    )
    .join('--')

/** Anchors of a list whose names may be the same twice: the second has `-2` behind it. */
export function anchorsOf(kind: string, names: readonly (string | number)[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const first = anchor(kind, name)
    let id = first
    for (let at = 2; taken.has(id); at++) id = `${first}-${at}`
    taken.add(id)
    return id
  })
}
