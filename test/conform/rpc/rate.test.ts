import { describe, expect, it } from 'vitest'
import { type Answering, failing, judge, valid } from './fake-rpc-server.js'

/** So many calls a minute, by a clock that only sleeping moves. */
const limited = (perMinute: number, refusal: ReturnType<Answering>, options: Options = {}) => {
  let at = 0
  let from = 0
  let used = 0
  const desk: Answering = (asked) => {
    if (at - from >= 60_000 && !options.isForever) {
      from = at
      used = 0
    }
    used += options.isByRequest ? 1 : Math.max(1, asked.text.split('"jsonrpc"').length - 1)
    return used > perMinute ? refusal : valid(asked)
  }
  return judge(desk, {
    tried: ({ isDisruptive, name }) => isDisruptive === true && name.includes('minute'),
    now: () => at,
    sleep: async (milliseconds) => {
      at += milliseconds
    },
  })
}

type Options = { readonly isByRequest?: true; readonly isForever?: true }

const RATE_LIMITED = { status: 429, headers: { 'retry-after': '60' }, body: failing(-32005) }

describe('the rate of calls', () => {
  it('is kept by HTTP, call by call', async () => {
    const { findings, ways } = await limited(30, RATE_LIMITED)
    expect(findings).toEqual([])
    expect(ways['a batch counts as']).toBe('each call')
  })

  it('is kept request by request', async () => {
    const { findings, ways } = await limited(30, RATE_LIMITED, { isByRequest: true })
    expect(findings).toEqual([])
    expect(ways['a batch counts as']).toBe('one request')
  })

  it('is not kept', async () => {
    const { findings } = await limited(1_000, RATE_LIMITED)
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      ['rate-not-limited', '61 calls in 0 seconds all got a response'],
    ])
  })

  it('is kept in an error alone, which does not tell when to come back', async () => {
    const { rules } = await limited(30, { body: failing(-32005, '1') })
    expect(rules).toEqual(['rate-limit-without-retry-after'])
  })

  it('never recovers', async () => {
    const { rules } = await limited(30, RATE_LIMITED, { isForever: true })
    expect(rules).toEqual(['rate-limit-does-not-recover'])
  })
})
