import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { handWritten } from '../bench/validators/hand-written.js'
import { mutantsOf, shortened } from '../bench/validators/mutants.js'
import { readSubjects } from '../bench/validators/subjects.js'

const { definitions, list } = await readSubjects()

const ajv = new Ajv2020.default({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'documents', components: { schemas: definitions } })

/** Valid values besides those that are timed: what the documents allow and the examples do not show. */
const more: Readonly<Record<string, readonly unknown[]>> = {
  ZktSubmission: [
    { arguments: 'The ferry leaves at noon.' },
    { code: 'contract A {}', arguments: [1, 'two'], id: 7 },
    {
      abi: ['event Added(uint256 amount)'],
      to: address(),
      method: 'add',
      arguments: [],
      wait: true,
    },
  ],
  EthGetBalanceRequest: [
    balance(),
    balance('0x1b4'),
    // As long as it may be: one digit more is too much.
    balance(`0x${'f'.repeat(16)}`),
    balance(hash()),
    balance({ blockNumber: 'safe' }),
    balance({ blockNumber: '0x0' }),
    balance({ blockHash: hash() }),
    balance({ blockHash: hash(), requireCanonical: false }),
  ],
  RequestBatch: [
    [logs({}), logs({ fromBlock: '0x1', toBlock: 'latest', address: null, topics: null })],
    [logs({ blockHash: hash(), address: [address()], topics: [null, hash(), [hash(), null]] })],
    [{ jsonrpc: '2.0', method: 'eth_chainId' }],
    [storage(`0x${'f'.repeat(64)}`), storage('0x', 'latest')],
  ],
}

describe('the hand-written checks that the generated ones are measured by', () => {
  test.each(list)(
    '$name: the verdict of the schema, on values and their mutants',
    ({ schema, text }) => {
      const byHand = handWritten[schema]
      const bySchema = ajv.compile({ $ref: `documents#/components/schemas/${schema}` })
      if (byHand === undefined) throw new Error(`nobody wrote ${schema}`)
      expect(byHand(JSON.parse(text))).toBe(true)

      const counts = { accepted: 0, refused: 0 }
      const differing: unknown[] = []
      for (const value of [shortened(JSON.parse(text)), ...(more[schema] ?? [])]) {
        expect([byHand(value), bySchema(value)], JSON.stringify(value)).toEqual([true, true])
        for (const mutant of mutantsOf(value)) {
          const isValid = bySchema(mutant)
          counts[isValid ? 'accepted' : 'refused'] += 1
          if (byHand(mutant) !== isValid) differing.push({ isValid, mutant })
        }
      }
      expect(differing.slice(0, 3).map((one) => JSON.stringify(one))).toEqual([])
      expect(counts.accepted).toBeGreaterThan(20)
      expect(counts.refused).toBeGreaterThan(200)
    },
  )
})

function address() {
  return '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
}

function hash() {
  return `0x${'9f'.repeat(32)}`
}

function balance(...block: readonly unknown[]) {
  return { jsonrpc: '2.0', id: null, method: 'eth_getBalance', params: [address(), ...block] }
}

function storage(...params: readonly unknown[]) {
  return { jsonrpc: '2.0', method: 'eth_getStorageAt', params: [address(), ...params] }
}

function logs(filter: object) {
  return { jsonrpc: '2.0', id: 'a', method: 'eth_getLogs', params: [filter] }
}
