import type { Pages } from '../operation.js'
import { writeJson } from './json.js'
import { segmentsOf } from './pointer.js'

/** Parameter -> its value for the next page; undefined if this page is the last one. */
export const nextPage = (
  pages: Pages,
  page: PageRead,
  current: (parameter: string) => unknown,
): Readonly<Record<string, unknown>> | undefined => {
  const items = pageItems(pages, page)
  const counted = [
    ...(pages.page === undefined ? [] : [[pages.page, Number(current(pages.page) ?? 1) + 1]]),
    ...(pages.offset === undefined
      ? []
      : [[pages.offset, Number(current(pages.offset) ?? 0) + items.length]]),
  ]
  // A list that is paged by a counter ends with the first page without items.
  if (counted.length > 0 && items.length === 0) return undefined
  const read = Object.entries(pages.next ?? {}).map(([name, from]) => [name, valueAt(from, page)])
  const isLast = read.some(([, value]) => value === undefined || value === null || value === '')
  const next = Object.fromEntries([...counted, ...read])
  const isSame = Object.entries(next).every(([name, value]) => current(name) === value)
  return isLast || isSame || hasMore(pages, page) === false ? undefined : next
}

/**
 * `nextPage` for all pages of one list. Throws the error of `fail` if a page leads back to an earlier one, because such a list
 * would never end.
 */
export const pageTurner = (pages: Pages, fail: (text: string) => Error): TurnPage => {
  const seen = new Set<string>()
  return (page, current) => {
    const next = nextPage(pages, page, current)
    if (next === undefined) return undefined
    const names = Object.keys(next)
    seen.add(writeJson(names.map(current)))
    if (!seen.has(writeJson(Object.values(next)))) return next
    throw fail(`the next page, by ${names.join(' and ')}, was already read`)
  }
}

type TurnPage = (
  page: PageRead,
  current: (parameter: string) => unknown,
) => ReturnType<typeof nextPage>

/** A response that was read; a JSON-RPC result has no headers. */
export type PageRead = { readonly body: unknown; readonly headers?: Headers }

/** The type of the items of a list at the keys of a path. */
export type PageItem<Page, Path extends readonly string[]> = Path extends readonly [
  infer Key,
  ...infer Rest extends readonly string[],
]
  ? Page extends { readonly [K in Key & string]?: infer Inner }
    ? PageItem<NonNullable<Inner>, Rest>
    : never
  : Page extends readonly (infer Item)[]
    ? Item
    : never

/** The items of a page; none if its body has no list at the place. */
export const pageItems = ({ items = '' }: Pages, { body }: PageRead): readonly unknown[] => {
  const list = at(body, items)
  return Array.isArray(list) ? list : []
}

const hasMore = ({ more }: Pages, { body }: PageRead): unknown =>
  more === undefined ? undefined : at(body, more) === true

const valueAt = (from: string, { body, headers }: PageRead): unknown => {
  const [, header] = /^\$response\.header\.(.+)$/.exec(from) ?? []
  return header === undefined ? at(body, from) : (headers?.get(header) ?? undefined)
}

/** The value at a JSON pointer, in which `-1` is the last item of a list. */
const at = (body: unknown, pointer: string): unknown =>
  segmentsOf(pointer).reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value.at(Number(key))
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Readonly<Record<string, unknown>>)[key]
      : undefined
  }, body)
