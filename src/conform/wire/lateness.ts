import type { Api } from '../../model/api.js'
import { ownName } from '../operation-name.js'
import { operationOf } from '../responses/no-response.js'
import { readExchange } from '../responses/read.js'
import type { Target } from '../target.js'
import { type Exchange, isLate, type Sent } from './exchange.js'

/** An operation keeps its callers waiting, and whatever else is asked of it would only wait again. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
  /** The first late one, and undefined where it was reported before. */
  readonly exchange: Exchange | undefined

  constructor(exchange: Exchange | undefined) {
    super(`it was late ${MOST} times`)
    this.exchange = exchange
  }
}

/** Counts the answers of each operation that did not come in time. */
export const watchLateness = (api: Api, target: Target): Lateness => {
  const late = new Map<string, { times: number; isTold: boolean; first: Exchange }>()
  const nameIn = (sent: Sent): string | undefined => {
    const exchange = { sent, answer: undefined, failure: undefined }
    const operation = operationOf(readExchange(api, target, exchange))
    return operation && ownName(operation)
  }
  return {
    assertPatient: (sent) => {
      // Of nearly all servers nothing need be read for it.
      const name = late.size === 0 ? undefined : nameIn(sent)
      const known = name === undefined ? undefined : late.get(name)
      if (name === undefined || known === undefined || known.times < MOST) return
      late.set(name, { ...known, isTold: true })
      throw new GivenUp(known.isTold ? undefined : known.first)
    },
    note: (exchange) => {
      const name = isLate(exchange) ? nameIn(exchange.sent) : undefined
      if (name === undefined) return
      const known = late.get(name) ?? { times: 0, isTold: false, first: exchange }
      late.set(name, { ...known, times: known.times + 1 })
    },
  }
}

export type Lateness = {
  /** Throws GivenUp where the operation of a request has been late too often. */
  readonly assertPatient: (sent: Sent) => void
  readonly note: (exchange: Exchange) => void
}

const MOST = 3
