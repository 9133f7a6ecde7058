import type { Pages } from '../operation.js'
import { segmentsOf } from '../shared/pointer.js'

/**
 * The body of a page: examples are the first page, and those behind it, of a list that is counted through, have no items. So a
 * client that asks for all pages comes to an end. `given` reads a parameter of the request.
 */
export const pageOf = (
  body: unknown,
  pages: Pages | undefined,
  given: (parameter: string) => unknown,
): unknown => {
  if (pages === undefined) return body
  const { page, offset, items = '' } = pages
  const isBehind =
    (page !== undefined && Number(given(page) ?? 1) > 1) ||
    (offset !== undefined && Number(given(offset) ?? 0) > 0)
  return isBehind ? withoutItems(body, segmentsOf(items)) : body
}

const withoutItems = (body: unknown, [key, ...rest]: readonly string[]): unknown => {
  if (key === undefined) return Array.isArray(body) ? [] : body
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) return body
  return { ...body, [key]: withoutItems(Reflect.get(body, key), rest) }
}
