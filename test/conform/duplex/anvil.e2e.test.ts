import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import { startChain } from '../../link/chain.js'
import { readEthereum } from '../../link/cut-connections.js'

const INVALID = ': error -32600'
const UNKNOWN = ': error -32602'

/**
 * How anvil deviates from JSON-RPC and from the document. Each was read beside the specification: none is a mistake of conform.
 */
const DEVIATIONS: Readonly<Record<string, readonly string[]>> = {
  // A text that is not JSON is a parse error, -32700, and an unknown method -32601 (JSON-RPC 2.0, 5.1).
  'rejection-wrong-code': [
    ...[
      'a body of blanks',
      'a comment',
      'a raw line feed in a string',
      'a trailing comma',
      'a truncated batch',
      'an empty body',
      'NaN',
      'single quotes',
      'truncated JSON',
      'two JSON texts',
    ].map((title) => `${title} was rejected in another way than expected${INVALID}`),
    ...[
      'a method in the other case',
      'a method with a blank after its name',
      'a method with a blank before its name',
      'a request whose method is ""',
      'an unknown method',
      'the reserved name rpc.nope',
    ].map((title) => `${title} was rejected in another way than expected${UNKNOWN}`),
    `rpc.discover was rejected with the wrong code${UNKNOWN}`,
  ],
  'mixed-batch-mishandled': [
    'a batch in which one call fails got error -32602 for the id 2, not an error -32601',
    'a batch of all kinds got error -32602 for the id "5", not an error -32601',
  ],
  // The response to [1] is an array with one error (JSON-RPC 2.0, 7).
  'batch-answered-by-object': ['a batch got one object'],
  'unknown-member-rejected': ['a request with an unknown member got error -32600'],
  // The document requires texts that begin with 0x, and no null.
  'invalid-params-accepted': [
    ...[
      'params/1/address/0: null in place of string (type)',
      'params/1/address/0: without 0x (pattern)',
      'params/1/address: null in place of string (type)',
      'params/1/address: without 0x (pattern)',
      'params/1/topics: null in place of array (type)',
    ].map((what) => `eth_subscribe: ${what} was accepted: the response was a result`),
    ...['params/0: an empty text (pattern)', 'params/0: number in place of string (type)'].map(
      (what) => `eth_unsubscribe: ${what} was accepted: the response was a result`,
    ),
  ],
}

it('anvil over a WebSocket has no findings but its deviations, and all its subscriptions are tested', async () => {
  const chain = await startChain()
  let isSending = true
  const sending = (async () => {
    while (isSending) {
      await chain.sendTransaction()
      await pause(100)
    }
  })()
  try {
    const url = chain.url.replace('http:', 'ws:')
    const verdict = await conform(await readEthereum(), { url, rate: null })
    const found = (rules: readonly (readonly [rule: string, message: string])[]) =>
      rules.map(([rule, message]) => `${rule}: ${message}`).toSorted()
    expect(found(verdict.findings.map(({ rule, message }) => [rule, message]))).toEqual(
      found(
        Object.entries(DEVIATIONS).flatMap(([rule, all]) =>
          all.map((message) => [rule, message] as const),
        ),
      ),
    )
    const left = verdict.notTested.flatMap(({ what }) => what)
    expect(left.filter((one) => /subscription|items/.test(one))).toEqual([])
    const called = verdict.coverage.find(({ kind }) => kind === 'operation')
    expect(called?.met).toEqual(called?.declared)
  } finally {
    isSending = false
    await sending
    await chain.stop()
  }
})
