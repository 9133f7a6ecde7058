import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { createSampler } from '../../src/schema/readable.js'
import type { Schema } from '../../src/schema/schema.js'
import { tryPair } from '../compatibility/try-pair.js'
import { holds } from '../schema/contain/containing.js'
import { declaredOnly, type Plain } from '../schema/contain/declared-only.js'
import { nearHistories } from '../schema/contain/near-schemas.js'
import { described } from '../schema/contain/random-schemas.js'
import { countRuns, seedOr, sized } from './size.js'

const VERSIONS = 3
const DOCUMENTS = sized(9, 500)
const HISTORIES = Math.ceil(DOCUMENTS / VERSIONS)

/** The same schema in a request and in a response of both protocols. */
const apiOf = (schema: Plain) => {
  const json = { content: { 'application/json': { schema } } }
  const info = { title: 'History', version: '1' }
  const openapi = {
    ...{ openapi: '3.1.0', info },
    paths: {
      '/sent': {
        post: {
          operationId: 'send',
          requestBody: { required: true, ...json },
          responses: { '204': { description: 'Done' } },
        },
      },
      '/received': {
        get: { operationId: 'receive', responses: { '200': { description: 'Ok', ...json } } },
      },
    },
  }
  const result = { name: 'done', schema: { type: 'boolean' } }
  const openrpc = {
    ...{ openrpc: '1.3.2', info },
    methods: [
      { name: 'rpc_send', params: [{ name: 'value', required: true, schema }], result },
      { name: 'rpc_receive', params: [], result: { name: 'value', schema } },
    ],
  }
  return loadApi({
    openapi: parseDocument(JSON.stringify(openapi), 'openapi.json'),
    openrpc: parseDocument(JSON.stringify(openrpc), 'openrpc.json'),
  })
}

/** A value with a property that no schema declares shows nothing of diff, which takes those as absent. */
const isDeclared = (schema: Plain): boolean =>
  (['request', 'response'] as const).every((role) => {
    const value = createSampler(new Map(), role)(schema as Schema)
    return value === undefined || holds({ schema: declaredOnly(schema) as Schema }, value)
  })

it(
  `${DOCUMENTS} random documents in steps: diff agrees with what old clients meet at mocks of each later step`,
  async () => {
    const seed = seedOr(20_261_126)
    countRuns(DOCUMENTS)
    const histories = fc.sample(nearHistories(VERSIONS, described(), described()), {
      seed,
      numRuns: HISTORIES,
    })
    const total = { undeclared: 0, pairs: 0, works: 0, warns: 0, breaks: 0, untested: 0 }
    const faults: string[] = []
    for (const [index, history] of histories.entries()) {
      const apis = await Promise.all(history.map(apiOf))
      for (const [first, old] of apis.entries())
        for (const [at, now] of apis.entries()) {
          if (at <= first) continue
          if (![first, at].every((one) => isDeclared(history[one] ?? true))) {
            total.undeclared += 1
            continue
          }
          const { cells, contradictions } = await tryPair(old, now)
          total.pairs += 1
          for (const { verdict } of cells) total[verdict] += 1
          for (const one of contradictions)
            faults.push(JSON.stringify({ seed, index, one, from: history[first], to: history[at] }))
        }
    }
    console.log(
      `compatibility trial, seed ${seed}: ${JSON.stringify(total)}, ${faults.length} faults`,
    )
    expect(faults.slice(0, 5)).toEqual([])
    expect(total.breaks).toBeGreaterThan(0)
    expect(total.works).toBeGreaterThan(total.untested)
    expect(total.undeclared).toBeLessThan(total.pairs / 10)
  },
  sized(600_000, 10_800_000),
)
