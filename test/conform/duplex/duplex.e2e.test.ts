import { describe, expect, it, onTestFinished } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import { DUPLEX_RULES } from '../../../src/conform/duplex/cases.js'
import { type FeedDefect, feedApi, startFeed } from './feed.js'
import { CASES_OF, FEED_DEFECTS } from './feed-defects.js'

/** What conform says of a feed with a defect. */
const tested = async (defect: FeedDefect, only?: readonly string[]) => {
  const { url, stop } = await startFeed(defect)
  onTestFinished(stop)
  const options = { url, stateless: true, milliseconds: 1_500, ...(only && { only }) }
  return conform(await feedApi(), options)
}

describe('conform over a WebSocket', () => {
  it('finds nothing wrong with a right server, and tests its methods and subscriptions', async () => {
    const verdict = await tested({})
    expect(verdict.findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
    expect(verdict.unjudged).toBe(undefined)
    const called = verdict.coverage.find(({ kind }) => kind === 'operation')
    expect(called?.met).toEqual(called?.declared)
    const left = verdict.notTested.flatMap(({ what }) => what)
    expect(left).toContain('JSON-RPC, its binding to HTTP')
    expect(left.filter((one) => one.includes('items'))).toEqual([])
  })

  it.each(FEED_DEFECTS)('%s: a server that %s', async (rule, _, defect) => {
    const only = CASES_OF[rule]
    const { findings } = await tested(defect, only === undefined ? undefined : [only])
    expect(findings.map((one) => one.rule)).toContain(rule)
  })

  it('each rule has a server that breaks it', () => {
    const broken = FEED_DEFECTS.map(([rule]) => rule)
    expect(DUPLEX_RULES.map(({ id }) => id).filter((id) => !broken.includes(id))).toEqual([])
  })

  it('a finding has a line for wscat, and the text that arrived', async () => {
    const [, , defect] = FEED_DEFECTS[0] as (typeof FEED_DEFECTS)[number]
    const { findings } = await tested(defect, ['JSON-RPC, a malformed text on a connection'])
    expect(findings.map(({ exchange: { curl } }) => curl.replace(/:\d+/, ':PORT'))).toEqual([
      `npx wscat -c 'ws://127.0.0.1:PORT/feed' -w 3 -x '{"jsonrpc":"2.0",'`,
    ])
  })

  it('says that a server cannot be reached', async () => {
    const { url, stop } = await startFeed({})
    await stop()
    await expect(conform(await feedApi(), { url })).rejects.toThrow('cannot be reached')
  })
})
