import type { Operation } from '../model/api.js'
import { nameOf } from '../model/names.js'
import type { Schemas } from '../schema/schema.js'
import { type Address, placeAt, propertyOf, schemasOf } from '../usage/addresses.js'
import { daysText, mergedDays } from '../usage/days.js'
import { createPlans, type Plan } from '../usage/plan.js'
import {
  type Count,
  type OperationUsage,
  OTHERS,
  type Place,
  type Usage,
  usageByOperation,
  windowOf,
} from '../usage/usage.js'
import { type Html, html, type Printable } from './html.js'

/** Renders when an operation, and each place in its requests and responses, was last used, and by how many consumers. */
export type UsagePart = (operation: Operation) => Printable

export const createUsagePart = (schemas: Schemas, usage: Usage): UsagePart => {
  const usedBy = usageByOperation(usage)
  const planOf = createPlans(schemas)
  const { days } = windowOf(usage)
  const section = (content: Printable): Html =>
    html`<section aria-labelledby="usage"><h2 id="usage">Recorded use</h2>${content}</section>`
  return (operation) => {
    const own = usedBy(nameOf(operation))
    const whole = summed([...own].map(([consumer, one]) => ({ consumer, count: one })))
    if (whole.requests === 0) return section(html`<p>Not used in the recorded time${days}.</p>`)
    const rows = (['request', 'response'] as const).map((direction) => ({
      direction,
      rows: rowsOf(operation, direction, own, planOf),
    }))
    return section([
      html`<p>Last used ${onDay(whole)} by ${whole.consumers}, in ${many(whole.requests, 'request')}${whole.last !== undefined && ` recorded${days}`}.</p>`,
      rows.map((one) => one.rows.length > 0 && table(one.direction, one.rows)),
    ])
  }
}

const table = (direction: 'request' | 'response', rows: readonly Row[]): Html => {
  const title = direction === 'request' ? 'In requests' : 'In responses'
  const note =
    direction === 'response' &&
    html`<p>Parts that responses contained. Whether a consumer reads them is not recorded.</p>`
  const shown = rows.slice(0, MOST)
  const left = rows.length - shown.length
  return html`<h3>${title}</h3>${note}<div class="wide" tabindex="0" role="group" aria-label="${title}"><table><thead><tr><th scope="col">place</th><th scope="col">last</th><th scope="col">consumers</th><th scope="col">requests</th></tr></thead><tbody>${shown.map(line)}</tbody></table></div>${
    left > 0 && html`<p>${many(left, 'further place')} ${left === 1 ? 'is' : 'are'} left out.</p>`
  }`
}

/** Maximum rows of a table, because recursive schemas would have thousands. */
const MOST = 300

const line = ({ place, value, sum }: Row): Html => {
  const name = html`<code>${place}</code>${value !== undefined && html` is <code>${value}</code>`}`
  return sum.requests === 0
    ? html`<tr><th scope="row">${name}</th><td>not used</td><td>–</td><td>0</td></tr>`
    : html`<tr><th scope="row">${name}</th><td>${sum.last ?? NO_TIME}</td><td>${sum.who}</td><td>${sum.requests}</td></tr>`
}

type Row = { readonly place: string; readonly value?: string; readonly sum: Sum }

type Places = readonly { readonly consumer: string; readonly place: Place }[]

const rowsOf = (
  operation: Operation,
  direction: 'request' | 'response',
  own: ReadonlyMap<string, OperationUsage>,
  planOf: ReturnType<typeof createPlans>,
): readonly Row[] => {
  const rows: Row[] = []
  const known = new Set<string>()
  const walk = (name: string, plan: Plan, places: Places, above: readonly string[]): void => {
    rows.push({ place: name, sum: summed(places.map(countOf)) })
    for (const json of plan.listed.values()) {
      const values = places.flatMap(({ consumer, place }) => {
        const count = place.values?.[json]
        return count ? [{ consumer, count }] : []
      })
      rows.push({ place: name, value: json, sum: summed(values) })
    }
    const within = [...above, plan.key]
    const enter = (
      child: Plan | undefined,
      label: string,
      of: (place: Place) => Place | undefined,
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
      walk(label, child, inner, within)
    }
    for (const property of plan.names)
      enter(plan.property(property), `${name}.${property}`, (place) => propertyOf(place, property))
    for (let index = 0; index < plan.prefix; index += 1)
      enter(plan.item(index), `${name}[${index}]`, ({ prefixItems = {} }) => prefixItems[index])
    const items = plan.item(plan.prefix)
    if (hasParts(items)) enter(items, `${name}[]`, (place) => place.items)
    const others = plan.others()
    if (hasParts(others)) enter(others, `${name}.*`, (place) => place.others)
  }
  for (const { address, schema } of rootsOf(operation, direction, own)) {
    const plan = planOf(schema)
    const name = address.join('.')
    // Media types with the same schema are listed once.
    if (known.has(`${name} ${plan.key}`)) continue
    known.add(`${name} ${plan.key}`)
    const places = [...own].flatMap(([consumer, usage]) => {
      const place = placeAt(usage[direction], address)
      return place ? [{ consumer, place }] : []
    })
    walk(name, plan, places, [])
  }
  return rows
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
  const isThere = (address: Address) =>
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
const hasParts = ({ names, listed, prefix }: Plan): boolean =>
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

const summed = (counts: readonly { readonly consumer: string; readonly count: Count }[]): Sum => {
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
