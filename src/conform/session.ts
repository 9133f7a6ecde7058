import type { Api } from '../model/api.js'
import { type Checker, createChecker } from '../schema/check.js'
import type { Exchange } from '../traffic/exchange.js'
import { CaseStopped, type ExchangeFinding, type Session } from './case.js'
import type { Profile } from './profile-list.js'
import { createRecord, type RunRecord } from './record.js'
import { checkExchange } from './responses/check-response.js'
import { createSender, type SenderParts } from './sender.js'

export type SessionParts = Omit<SenderParts, 'checker' | 'onPassing'> & {
  readonly profile: Profile | undefined
  readonly seed: number
}

/** Creates the session of a run: what sends requests, what records, and the checks of every response between them. */
export const createSession = (parts: SessionParts): WholeSession => {
  const { api, target, profile, seed, now, sleep, signal, deadline } = parts
  const checker = checkerOf(api)
  const { recorder, seen } = createRecord(signal)
  const context = { api, target, checker, ...recorder }
  const check = (exchange: Exchange) => checkExchange(context, exchange)
  const { send, count, ...sender } = createSender({
    ...parts,
    checker,
    onPassing: (broken) => recorder.reportAll(check(broken).map(asPassing)),
  })
  const made = new Map<object, Promise<unknown>>()
  return {
    ...{ api, target, checker, profile, seed, now, sleep, signal, deadline, check },
    ...recorder,
    ...sender,
    once: <T>(key: object, make: () => Promise<T>) => {
      const known = made.get(key) as Promise<T> | undefined
      if (known !== undefined) return known
      const begun = make()
      made.set(key, begun)
      // A case that is stopped may run again.
      begun.catch((error) => error instanceof CaseStopped && made.delete(key))
      return begun
    },
    probe: async (sent, options = {}) => (await send(sent, options)).exchange,
    ask: async (sent, options = {}) => {
      const { exchange, before } = await send(sent, options)
      if (before !== undefined) recorder.reportAll(check(before))
      recorder.reportAll(check(exchange))
      return exchange
    },
    seen: { ...seen, count },
  }
}

/** A session with members for the run only. */
export type WholeSession = Session &
  Pick<ReturnType<typeof createSender>, 'reach' | 'assertResponded' | 'startLastPass'> & {
    readonly seen: RunState
  }

/** What a run has recorded and sent. */
export type RunState = RunRecord & {
  readonly count: {
    readonly requests: number
    readonly waits: number
    readonly waitsFor: string | undefined
  }
}

/** A response that broke off, although the repeated request got a response. */
const asPassing = (finding: ExchangeFinding): ExchangeFinding => ({
  ...finding,
  message: `${finding.message}, but not when the same request was sent again`,
  ...{ aspect: 'now and then', cause: 'now and then' },
})

/** One checker for all runs of an Api, so that its validators and values are reused. */
const checkerOf = ({ schemas }: Api): Checker => {
  const checker = checkers.get(schemas) ?? createChecker(schemas)
  checkers.set(schemas, checker)
  return checker
}

const checkers = new WeakMap<Api['schemas'], Checker>()
