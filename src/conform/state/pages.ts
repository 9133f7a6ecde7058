import { isDeepStrictEqual } from 'node:util'
import type { HttpOperation, RpcOperation } from '../../model/api.js'
import { own } from '../../runtime/checks.js'
import type { Pages } from '../../runtime/operation.js'
import { nextPage, type PageRead, pageItems } from '../../runtime/shared/pages.js'
import { isObject } from '../../runtime/validate/json-value.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { shownValues, whyNot } from '../cases/input.js'
import { isRead, ownName } from '../operations.js'
import { isAccepted } from '../outcome.js'
import { rpcOutcomeOf, valueIn } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { collectShown } from '../values/shown-values.js'
import { callText, postRpc, writeHttp } from '../wire/write-request.js'

/** Rules for the pages of a list. */
export const PAGE_RULES: readonly Rule[] = [
  {
    id: 'page-repeated',
    level: 'error',
    purpose: 'The next page of a list differs from the current one, so pagination ends.',
    clause: 'x-pagination; OpenAPI, links',
    needsState: true,
  },
]

type Paged = (HttpOperation | RpcOperation) & { readonly pages: Pages }

/** Cases that read lists page by page, from the first one. */
export const pageCases = (plan: Plan): readonly Case[] =>
  plan.api.operations.filter(isPaged).flatMap((operation): readonly Case[] => {
    if (!isRead(operation) || whyNot(operation, plan) !== undefined) return []
    const write = operation.kind === 'http' ? httpPages(operation, plan) : rpcPages(operation, plan)
    const run = (session: Session) => readPages(session, operation, write)
    return [
      { name: `${ownName(operation)}, page by page`, operation, cost: MOST, needsState: true, run },
    ]
  })

const isPaged = (operation: HttpOperation | RpcOperation): operation is Paged =>
  operation.pages !== undefined

/** A list may have any number of pages. */
const MOST = 4

/** Writes the request of a page; all parameters are undefined for the first page. */
type Write = (next: Readonly<Record<string, unknown>>) => Sent | undefined

const httpPages = (operation: Paged & HttpOperation, plan: Plan): Write => {
  const { parameters = {}, ...rest } = shownValues(operation, collectShown(plan.api, plan.checker))
  const placeOf = (name: string) =>
    operation.parameters.find((one) => one.name === name)?.in ?? 'query'
  const first = Object.fromEntries(
    Object.entries(parameters).filter(
      ([id]) => !pagingNames(operation.pages).has(id.replace(/^\w+\./, '')),
    ),
  )
  return (next) => {
    const values = Object.entries(next).map(([name, value]) => [`${placeOf(name)}.${name}`, value])
    return writeHttp(
      operation,
      { ...rest, parameters: { ...first, ...Object.fromEntries(values) } },
      plan.target,
    )
  }
}

const rpcPages = (
  { method, params, paramStructure, examples, pages }: Paged & RpcOperation,
  { target }: Plan,
): Write => {
  const shown = examples.find(({ outcome }) => outcome.kind === 'result')
  const first = Object.entries(shown?.namedParams ?? {}).filter(
    ([name]) => !pagingNames(pages).has(name),
  )
  return (next) => {
    const named: Readonly<Record<string, unknown>> = { ...Object.fromEntries(first), ...next }
    if (paramStructure === 'by-name') return postRpc(target, callText(method, named))
    const listed = params.map(({ name }) => own(named, name) ?? null)
    const last = listed.findLastIndex((value) => value !== null)
    return postRpc(target, callText(method, listed.slice(0, last + 1)))
  }
}

/** The parameters that select a page. */
export const pagingNames = ({ next = {}, page, offset }: Pages = {}): ReadonlySet<string> =>
  new Set([...Object.keys(next), ...[page, offset].filter((name) => name !== undefined)])

const readPages = async (session: Session, operation: Paged, write: Write): Promise<void> => {
  const { pages } = operation
  const seen: unknown[] = []
  let current: Readonly<Record<string, unknown>> = {}
  for (let count = 1; count <= MOST; count++) {
    const sent = write(current)
    if (sent === undefined) throw new NotTested('it needs a key, and none was given')
    const exchange = await session.ask(sent)
    const page = pageOf(session, operation, exchange)
    if (page === undefined) throw new NotTested(`page ${count} did not get a success response`)
    const content = { body: page.body, next: nextPage(pages, page, () => undefined) }
    const before = isTelling(pages, page)
      ? seen.findIndex((one) => isDeepStrictEqual(one, content))
      : -1
    if (before !== -1) {
      session.report('page-repeated', exchange, {
        message: `the page for ${JSON.stringify(current)} is the same as page ${before + 1}`,
        expected: 'the next items',
      })
      return
    }
    seen.push(content)
    const next = nextPage(pages, page, (name) => own(current, name))
    if (next === undefined) {
      if (count === 1) throw new NotTested('its first page is the last one')
      return
    }
    current = { ...current, ...next }
  }
}

/**
 * Whether an equal page must be a repeated one. For numbered pages, equal items may be a coincidence; a page without items may be
 * requested again until there are some.
 */
const isTelling = (pages: Pages, page: PageRead): boolean => {
  const items = pageItems(pages, page)
  const isRead = pages.page === undefined && pages.offset === undefined
  if (isRead) return items.length > 0 || (pages.items === undefined && listIn(page.body).length > 0)
  return items.length > 0 && items.some((one) => !isDeepStrictEqual(one, items[0]))
}

/** The items of a list that no document names: the body, or the only list in it. */
export const listIn = (body: unknown): readonly unknown[] => {
  if (Array.isArray(body)) return body
  const lists = isObject(body) ? Object.values(body).filter((one) => Array.isArray(one)) : []
  return lists.length === 1 ? (lists[0] ?? []) : []
}

const pageOf = (session: Session, operation: Paged, exchange: Exchange): PageRead | undefined => {
  const { answer } = exchange
  if (!answer || !isAccepted(exchange, operation, session)) return undefined
  if (operation.kind === 'rpc') {
    const outcome = rpcOutcomeOf(answer)
    return outcome.kind === 'result' ? { body: outcome.value } : undefined
  }
  const value = valueIn(answer)
  if (value === undefined) return undefined
  const headers = new Headers()
  for (const [name, text] of answer.headers) headers.append(name, text)
  return { body: value, headers }
}
