import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformOptions, conform, type Verdict } from '../../src/conform/conform.js'
import { PROFILES } from '../../src/conform/profile-list.js'
import { type Mock, startMock } from '../../src/mock/mock.js'
import { loadApi } from '../../src/read/load.js'
import { startPlainPrism } from './plain-prism.js'

const api = await loadApi({
  openapi: 'spec/openapi.yaml',
  openrpc: 'spec/openrpc.yaml',
  arazzo: 'spec/workflows.arazzo.yaml',
})

const judge = (options: ConformOptions): Promise<Verdict> =>
  conform(api, { key: 'k-4f1d60c2', rate: null, maxExamples: 1, milliseconds: 30_000, ...options })

const rulesOf = ({ findings }: Verdict) => [...new Set(findings.map(({ rule }) => rule))].sort()

/** What was not tested since the server was said to have no mind of its own. */
const beyond = ({ notTested }: Verdict): readonly string[] =>
  notTested.find(({ why }) => why.endsWith('(--stateless)'))?.what ?? []

const reasonFor = ({ notTested }: Verdict, name: string): string | undefined =>
  notTested.find(({ what }) => what.includes(name))?.why

const met = ({ coverage }: Verdict, kind: string): readonly string[] =>
  coverage.find((one) => one.kind === kind)?.met ?? []

/** Each stands on a memory, or on an answer that is worked out of the request. */
const BEYOND_A_MOCK = [
  'JSON-RPC, an unknown key',
  'submitZkt, keys that nobody has',
  'getZktTransaction, queueId, an unknown UUID',
  'tryZkt, the variant message, followed',
  'workflow refuseUnknownMethod',
  'workflow echoId',
]

describe('the mock of both documents', () => {
  let mock: Mock
  beforeAll(async () => {
    mock = await startMock(api)
  })
  afterAll(() => mock?.stop())

  it('keeps the whole contract in the strict profile; what needs a memory is not tested', async () => {
    const verdict = await judge({
      url: mock.url,
      stateless: true,
      profile: PROFILES.find(({ name }) => name === 'strict'),
      milliseconds: 240_000,
    })
    expect(verdict.findings).toEqual([])
    expect(verdict.cases).toBeGreaterThan(700)
    expect(met(verdict, 'operation')).toHaveLength(api.operations.length)
    expect(beyond(verdict)).toEqual(expect.arrayContaining(BEYOND_A_MOCK))
    expect(beyond(verdict).filter((name) => / without a key$/.test(name))).not.toEqual([])
    expect(met(verdict, 'operation')).toEqual(
      expect.arrayContaining([
        ...['tryZkt', 'submitZkt', 'getZktTransaction'],
        ...['chain_getValidatorList', 'eth_getBalance'],
      ]),
    )
    expect(met(verdict, 'variant')).toEqual(
      expect.arrayContaining(['tryZkt message', 'tryZkt call', 'tryZkt deploy']),
    )
    expect(met(verdict, 'status')).toEqual(
      expect.arrayContaining(['tryZkt 200', 'tryZkt 400', 'tryZkt 413', 'tryZkt 415']),
    )
    expect(met(verdict, 'workflow')).toEqual([])
  })

  it('fails in just that where nobody says that it is a mock', async () => {
    const only = BEYOND_A_MOCK
    const said = await judge({ url: mock.url, only, stateless: true })
    expect([said.cases, said.findings]).toEqual([0, []])
    expect(beyond(said)).toEqual(expect.arrayContaining(only))

    const unsaid = await judge({ url: mock.url, only })
    expect(beyond(unsaid)).toEqual([])
    expect(rulesOf(unsaid)).toEqual(
      expect.arrayContaining([
        'invalid-api-key-accepted',
        'linked-responses-differ',
        'unknown-identifier-found',
        'unknown-api-key-accepted',
        'workflow-failed',
      ]),
    )
  })
})

describe('Prism by itself', () => {
  let prism: Awaited<ReturnType<typeof startPlainPrism>>
  beforeAll(async () => {
    prism = await startPlainPrism('spec/openapi.yaml')
  })
  afterAll(() => prism?.stop())

  const RIGHT = ['example message', 'example deploy', 'bounds of body application/json'].map(
    (name) => `submitZkt, ${name}`,
  )

  it('passes examples and bounds, and which form an answer has is not held against it', async () => {
    const said = await judge({ url: prism.url, only: RIGHT, stateless: true })
    expect(said.findings).toEqual([])
    expect(beyond(said)).toEqual(['response-of-other-variant POST /zkt/{apiKey} deploy'])
    expect(met(said, 'variant')).toContain('submitZkt message')
    expect(met(said, 'variant')).not.toContain('submitZkt deploy')
    expect(reasonFor(said, 'JSON-RPC')).toBe('--only excludes it')

    const unsaid = await judge({ url: prism.url, only: ['submitZkt, example deploy'] })
    expect(rulesOf(unsaid)).toEqual(['response-of-other-variant'])
  })

  it('is not excused where it goes wrong without any need of a memory', async () => {
    const verdict = await judge({
      url: prism.url,
      stateless: true,
      only: [
        ...['GET /zkt/{apiKey}', 'submitZkt, truncated JSON'],
        'submitZkt, a string of bytes that are no UTF-8',
      ],
    })
    expect(rulesOf(verdict)).toEqual([
      'allow-header-missing',
      'api-key-leaked',
      'body-invalid',
      'malformed-body-accepted',
    ])
  })

  it('is judged alone where a server of the other document is not named', async () => {
    const servers = (api.rpc?.servers ?? []).map((one) => ({ ...one, name: `node ${one.name}` }))
    const apart = { ...api, rpc: api.rpc && { ...api.rpc, servers } }
    const verdict = await conform(apart, {
      servers: { testnet: prism.url },
      key: 'k-4f1d60c2',
      rate: null,
      maxExamples: 1,
      stateless: true,
      only: ['getZktTransaction, example queueId', 'ethChainId'],
    })
    expect(verdict.findings).toEqual([])
    expect(met(verdict, 'operation')).toEqual(['getZktTransaction'])
    for (const name of ['JSON-RPC', 'eth_chainId'])
      expect(reasonFor(verdict, name)).toBe('no server was given for its document')
  })
})
