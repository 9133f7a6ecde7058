import type { Link, Pages } from '../runtime/operation.js'
import type { HttpParameter } from './http-content.js'
import { isObject } from './json.js'

/** `x-pagination` of an operation or a method. */
export function readPages(value: unknown): Pages | undefined {
  if (!isObject(value)) return undefined
  const texts = Object.fromEntries(
    (['items', 'page', 'offset', 'more'] as const).flatMap((key) => {
      const text = value[key]
      return typeof text === 'string' ? [[key, text]] : []
    }),
  )
  const next = Object.entries(isObject(value.next) ? value.next : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return { ...texts, ...(next.length > 0 && { next: Object.fromEntries(next) }) }
}

/** Pagination declared by a link of a successful response to its own operation: the parameters of the next page. */
export function pagesOfLinks(
  id: string,
  links: readonly Link[],
  parameters: readonly HttpParameter[],
): Pages | undefined {
  for (const link of links) {
    if (link.operation !== id || !/^(2|default)/i.test(link.status)) continue
    const next = Object.entries(link.parameters).flatMap(([name, expression]) => {
      const plain = name.replace(/^(path|query|header|cookie)\./, '')
      const from = typeof expression === 'string' ? placeOf(expression) : undefined
      const isQuery = parameters.some((one) => one.in === 'query' && one.name === plain)
      return isQuery && from !== undefined ? [[plain, from] as const] : []
    })
    if (next.length > 0) return { next: Object.fromEntries(next) }
  }
  return undefined
}

/** The JSON pointer or the header of a runtime expression (OpenAPI 3.1, 4.8.20.4). */
const placeOf = (expression: string): string | undefined =>
  /^\$response\.body#(.*)$/.exec(expression)?.[1] ??
  (/^\$response\.header\./.test(expression) ? expression : undefined)
