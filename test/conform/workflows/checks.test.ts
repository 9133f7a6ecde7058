import { expect, it } from 'vitest'
import { workflowsCases } from '../../../src/conform/workflows/cases.js'
import { brokenCriterion } from '../../../src/conform/workflows/criteria.js'
import { loadApi } from '../../../src/read/load.js'
import { createChecker } from '../../../src/schema/check.js'

/** Checks that only this service knows, and the workflows that ask for them. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  H06: ['refuseMixture'],
  H08: ['refuseAddress', 'refuseAddressWithoutCode'],
  H09: ['refuseAbi', 'refuseUnknownMethod'],
  H10: ['chooseOverload'],
  H11: ['refuseArgumentCount', 'refuseArgumentType'],
  H12: ['keepNumbers', 'refuseArgumentOutOfRange'],
  H13: ['refuseBytesOfAnotherLength'],
  H14: ['echoId'],
  H16: ['waitIsHeld', 'writeAndRead'],
  H17: ['writeAndRead'],
  H18: ['writeAndRead'],
  H19: ['refuseSource', 'refuseConstructorArguments'],
  H20: ['deploySlate'],
  H25: ['refuseUnknownKey'],
  H27: ['refuseUnknownQueueId'],
  H28: ['refuseWhatIsNoQueueId'],
  H30: ['submitMessage', 'refuseRevert'],
  H31: ['submitMessage'],
  H32: ['submitMessage', 'awaitReceipt', 'signWithWallets'],
  H33: ['deploySlate', 'findDeployment'],
  H42: ['refuseUnknownMethod', 'refuseAbi', 'refuseMixture'],
  J47: ['refuseUnsupportedMethod'],
  J107: ['tellTheChain'],
}

/** Of those, what no workflow asks for, and who does. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'H08, checksum':
    'whether a wrong letter case refuses an address is not promised; the documents take any',
  'H14, null and objects': 'ZktRequestId is a number or a string: boundary values of its schema',
  'H16, abort': 'no answer comes to a caller who has gone, so that nothing can be asked of it',
  'H19, empty code': 'minLength of ZktV2Deploy: a boundary value',
  'H19, two contracts': 'not promised, and each is valid: a refusal, or one that is deployed',
  'H28, letter case': 'Arazzo has no words for the same queueId in capitals',
  H29: 'one schema for each state, disjoint: asked of each answer of the status lookup',
  H34: 'not promised: two hashes and one are both valid',
  H41: 'ZktWarningAnswer is one of the answers, asked of each; who shows a warning is the client',
}

const spec = (name: string) => new URL(`../../../spec/${name}`, import.meta.url).pathname
const loading = loadApi({
  openapi: spec('openapi.yaml'),
  openrpc: spec('openrpc.yaml'),
  arazzo: spec('workflows.arazzo.yaml'),
})

it('each check that only this service knows has a workflow, or a reason to have none', () => {
  const wanted = [6, ...range(8, 14), ...range(16, 20), ...range(27, 34), 41, 42]
  const ids = [...wanted.map((one) => `H${String(one).padStart(2, '0')}`), 'J47', 'J107']
  const known = [...Object.keys(ASKED), ...Object.keys(ELSEWHERE)]
  expect(ids.filter((id) => !known.includes(id))).toEqual([])
})

it('each workflow of the document asks for a check, and is run or called by one that is', async () => {
  const api = await loading
  const skip = (what: string, why: string) => expect.unreachable(`${what}: ${why}`)
  const plan = {
    api,
    checker: createChecker(api.schemas),
    profile: undefined,
    seed: 1,
    maxExamples: 1,
    skip,
  }
  const target = { http: '', rpc: '', rpcWithKey: undefined, key: undefined, secrets: [] }
  const cases = workflowsCases({ ...plan, target })
  const run = cases.map(({ name }) => name.replace('workflow ', ''))
  const all = api.workflows.map(({ id }) => id)
  expect([...new Set(Object.values(ASKED).flat())].toSorted()).toEqual(all.toSorted())
  expect(all.filter((id) => !run.includes(id))).toEqual(['awaitReceipt', 'findDeployment'])
  // A minute of the limit that the documents set is enough for all of them.
  expect(cases.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThan(200)
})

it('a receipt is waited for while there is none, and not where it is refused', async () => {
  const api = await loading
  const [step] = api.workflows.find(({ id }) => id === 'awaitReceipt')?.steps ?? []
  const [retry] = step?.onFailure ?? []
  const waits = (answer: object) => {
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }))
    const sent = { method: 'POST', url: 'http://127.0.0.1/', headers: {} }
    const exchange = {
      ...{ sent, failure: undefined },
      answer: { status: 200, headers: [], body, milliseconds: 1 },
    }
    const none = { inputs: {}, parameters: {}, steps: new Map(), workflows: new Map() }
    const scope = { ...none, output: () => undefined, exchange }
    return retry !== undefined && brokenCriterion(retry.criteria, scope) === undefined
  }
  expect(waits({ result: null })).toBe(true)
  expect(waits({ error: { code: -32602, message: 'no hash' } })).toBe(false)
})

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
