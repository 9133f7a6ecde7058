import type { Operation } from '../model/api.js'
import { nameOf } from '../model/operation-name.js'
import type { Schemas } from '../schema/schema.js'
import { type Html, type HtmlContent, html } from '../text/html.js'
import {
  type PlaceAddress,
  placeAt,
  placeProperty,
  placesTo,
  schemasOf,
  unreadAt,
} from '../usage/addresses.js'
import { daysText, mergedDays } from '../usage/days.js'
import { createPlans, type UsagePlan } from '../usage/plan.js'
import {
  ANY_METHOD,
  type CountedRequests,
  type OperationUsage,
  OTHERS,
  sentKey,
  serverName,
  type Usage,
  type UsagePlace,
  usageByOperation,
  windowOf,
} from '../usage/usage.js'

/** Renders when something was last used, and by how many consumers. */
export type UsagePart = {
  /** An operation, and each place in its requests and responses. */
  readonly operation: (operation: Operation) => HtmlContent
  /** A method that the server sends. */
  readonly sent: (method: Operation) => HtmlContent
}

export const createUsagePart = (schemas: Schemas, usage: Usage): UsagePart => {
  const usedBy = usageByOperation(usage)
  const planOf = createPlans(schemas)
  const { days } = windowOf(usage)
  const section = (content: HtmlContent): Html =>
    html`<section aria-labelledby="usage"><h2 id="usage">Recorded use</h2>${content}</section>`
  const wholeOf = (own: ReadonlyMap<string, OperationUsage>) =>
    summed([...own].map(([consumer, one]) => ({ consumer, count: one })))
  const recorded = ({ last }: Sum): string => (last === undefined ? '' : ` recorded${days}`)
  const sent = (method: Operation): Html => {
    const whole = wholeOf(usedBy(serverName(method)))
    if (whole.requests > 0)
      return html`<p>Last sent ${onDay(whole)} to ${whole.consumers}, in ${many(whole.requests, 'message')}${recorded(whole)}.</p>`
    return mayBeUnread(method, usage)
      ? html`<p>Not known: no message was recorded${days}, but some could not be read.</p>`
      : html`<p>Not sent in the recorded time${days}.</p>`
  }
  const operationPart = (operation: Operation): Html => {
    const own = usedBy(nameOf(operation))
    const whole = wholeOf(own)
    if (whole.requests === 0)
      return section(
        mayBeUnread(operation, usage)
          ? html`<p>Not known: no request was recorded${days}, but some requests could not be read.</p>`
          : html`<p>Not used in the recorded time${days}.</p>`,
      )
    const rows = (['request', 'response'] as const).map((direction) => ({
      direction,
      rows: rowsOf(operation, direction, own, planOf),
    }))
    return section([
      html`<p>Last used ${onDay(whole)} by ${whole.consumers}, in ${many(whole.requests, 'request')}${recorded(whole)}.</p>`,
      rows.map((one) => one.rows.length > 0 && table(one.direction, one.rows)),
    ])
  }
  return { operation: operationPart, sent }
}

/** Whether requests that could not be read may be of an operation. */
const mayBeUnread = (operation: Operation, { faulty, unread }: Usage): boolean => {
  const key = operation.kind === 'rpc' ? ANY_METHOD : sentKey(nameOf(operation))
  return faulty > 0 || Object.keys(unread).some((name) => sentKey(name) === key)
}

const table = (direction: 'request' | 'response', rows: readonly Row[]): Html => {
  const title = direction === 'request' ? 'In requests' : 'In responses'
  const note =
    direction === 'response' &&
    html`<p>Parts that responses contained. Whether a consumer reads them is not recorded.</p>`
  const shown = rows.slice(0, MOST)
  const left = rows.length - shown.length
  const unknown =
    shown.some(isUnknown) &&
    html`<p>A place that is not known may be in requests that could not be read.</p>`
  return html`<h3>${title}</h3>${note}${unknown}<div class="wide" tabindex="0" role="group" aria-label="${title}"><table><thead><tr><th scope="col">place</th><th scope="col">last</th><th scope="col">consumers</th><th scope="col">requests</th></tr></thead><tbody>${shown.map(line)}</tbody></table></div>${
    left > 0 && html`<p>${many(left, 'further place')} ${left === 1 ? 'is' : 'are'} left out.</p>`
  }`
}

/** Maximum rows of a table, because recursive schemas would have thousands. */
const MOST = 300

const isUnknown = ({ sum, unread }: Row): boolean => sum.requests === 0 && unread > 0

const line = (row: Row): Html => {
  const { place, value, sum } = row
  const name = html`<code>${place}</code>${value !== undefined && html` is <code>${value}</code>`}`
  return sum.requests === 0
    ? html`<tr><th scope="row">${name}</th><td>${isUnknown(row) ? 'not known' : 'not used'}</td><td>–</td><td>0</td></tr>`
    : html`<tr><th scope="row">${name}</th><td>${sum.last ?? NO_TIME}</td><td>${sum.who}</td><td>${sum.requests}</td></tr>`
}

type Row = {
  readonly place: string
  readonly value?: string
  readonly sum: Sum
  /** Requests in which the place, or one around it, could not be read. */
  readonly unread: number
}

type Places = readonly { readonly consumer: string; readonly place: UsagePlace }[]

const rowsOf = (
  operation: Operation,
  direction: 'request' | 'response',
  own: ReadonlyMap<string, OperationUsage>,
  planOf: ReturnType<typeof createPlans>,
): readonly Row[] => {
  const rows: Row[] = []
  const known = new Set<string>()
  const walk = (
    name: string,
    plan: UsagePlan,
    places: Places,
    above: readonly string[],
    unreadAbove: number,
  ): void => {
    const unread = places.reduce((sum, { place }) => sum + unreadAt(place), unreadAbove)
    rows.push({ place: name, sum: summed(places.map(countOf)), unread })
    for (const json of plan.listed.values()) {
      const values = places.flatMap(({ consumer, place }) => {
        const count = place.values?.[json]
        return count ? [{ consumer, count }] : []
      })
      rows.push({ place: name, value: json, sum: summed(values), unread })
    }
    const within = [...above, plan.key]
    const enter = (
      child: UsagePlan | undefined,
      label: string,
      of: (place: UsagePlace) => UsagePlace | undefined,
    ) => {
      // A recursive schema is counted at its first occurrence.
      if (
        !child ||
        child.terms.length === 0 ||
        within.includes(child.key) ||
        rows.length > MOST * 2
      )
        return
      const inner = places.flatMap(({ consumer, place }) => {
        const found = of(place)
        return found ? [{ consumer, place: found }] : []
      })
      walk(label, child, inner, within, unread)
    }
    for (const property of plan.names)
      enter(plan.property(property), `${name}.${property}`, (place) =>
        placeProperty(place, property),
      )
    for (let index = 0; index < plan.prefix; index += 1)
      enter(plan.item(index), `${name}[${index}]`, ({ prefixItems = {} }) => prefixItems[index])
    const items = plan.item(plan.prefix)
    if (hasParts(items)) enter(items, `${name}[]`, (place) => place.items)
    const others = plan.others()
    if (hasParts(others)) enter(others, `${name}.*`, (place) => place.others)
  }
  const roots = rootsOf(operation, direction, own).map(({ address, schema }) => {
    const plan = planOf(schema)
    const places = [...own].flatMap(([consumer, usage]) => {
      const place = placeAt(usage[direction], address)
      return place ? [{ consumer, place }] : []
    })
    const around = [...own.values()].flatMap((usage) =>
      placesTo(usage[direction], address).slice(0, address.length),
    )
    const unread = around.reduce((sum, place) => sum + unreadAt(place), 0)
    return { address, plan, places, unread }
  })
  const bodies = new Set(roots.filter(isRequestBody).map(({ plan }) => plan.key))
  for (const root of roots) {
    const { address, plan, unread } = root
    const [first = '', type = ''] = address
    const body = bodies.size > 1 ? `${first} (${type})` : first
    const name = isRequestBody(root) ? body : address.join('.')
    // Media types with the same schema are listed once.
    if (known.has(`${name} ${plan.key}`)) continue
    known.add(`${name} ${plan.key}`)
    const same = roots.filter((one) => isRequestBody(one) && one.plan.key === plan.key)
    const places = (isRequestBody(root) ? same : [root]).flatMap((one) => one.places)
    walk(name, plan, places, [], unread)
  }
  return rows

  /** The request bodies of a media type are counted by it. */
  function isRequestBody({ address }: { readonly address: PlaceAddress }): boolean {
    return operation.kind === 'http' && direction === 'request' && address[0] === 'body'
  }
}

/** The roots of all schemas; of undeclared statuses in a range, only those that were recorded. */
const rootsOf = (
  operation: Operation,
  direction: 'request' | 'response',
  own: ReadonlyMap<string, OperationUsage>,
) => {
  const declared = new Set(
    operation.kind === 'http' ? operation.responses.map(({ status }) => status) : [],
  )
  const isThere = (address: PlaceAddress) =>
    [...own.values()].some((usage) => placeAt(usage[direction], address.slice(0, 1)) !== undefined)
  return schemasOf(operation, direction).filter(
    ({ address }) =>
      direction === 'request' ||
      operation.kind === 'rpc' ||
      declared.has(address[0] ?? '') ||
      isThere(address),
  )
}

/** Items without properties and enumerated values add nothing to their list. */
const hasParts = ({ names, listed, prefix }: UsagePlan): boolean =>
  names.length > 0 || listed.size > 0 || prefix > 0

const countOf = ({ consumer, place }: Places[number]) => ({ consumer, count: place })

type Sum = {
  readonly requests: number
  readonly last: string | undefined
  /** `3`, or `more than 1000`. */
  readonly who: string
  /** `3 consumers`. */
  readonly consumers: string
}

const summed = (
  counts: readonly { readonly consumer: string; readonly count: CountedRequests }[],
): Sum => {
  const used = counts.filter(({ count }) => count.requests > 0)
  const names = new Set(used.map(({ consumer }) => consumer))
  const isMore = names.delete(OTHERS)
  return {
    requests: used.reduce((sum, { count }) => sum + count.requests, 0),
    last: mergedDays(used.map(({ count }) => count)).last,
    who: isMore ? `more than ${names.size}` : `${names.size}`,
    consumers: isMore ? `more than ${many(names.size, 'consumer')}` : many(names.size, 'consumer'),
  }
}

const onDay = ({ last }: Sum): string =>
  last === undefined ? NO_TIME : daysText({ first: last, last }).trim()

const NO_TIME = 'at no known time'

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
