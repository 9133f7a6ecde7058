import type { Complaint } from '../case.js'
import type { Exchange } from '../wire/exchange.js'
import { operationOf } from './no-response.js'
import type { Reading } from './read.js'

/** A header of one value that stands twice: readers disagree which of the two counts. */
export const judgeTwice = (exchange: Exchange, reading: Reading): readonly Complaint[] => {
  const names = (exchange.answer?.headers ?? []).map(([name]) => name.toLowerCase())
  const twice = new Set(names.filter((name, at) => SINGLE.has(name) && names.indexOf(name) !== at))
  return [...twice].map((name) => ({
    rule: 'header-repeated',
    message: `the header ${name} comes ${names.filter((one) => one === name).length} times`,
    due: 'once',
    exchange,
    operation: operationOf(reading),
    aspect: name,
  }))
}

/** No lists (RFC 9110, 5.5 and the section of each). */
const SINGLE = new Set([
  'content-type',
  'content-length',
  'content-location',
  'location',
  'date',
  'etag',
  'expires',
  'last-modified',
  'retry-after',
])
