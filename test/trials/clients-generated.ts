import { beforeAll, expect, test } from 'vitest'
import { createHttpClient, type HttpClient, isHttpError } from '../../generated/http.client.js'
import { createRpcClient, isRpcError, type RpcClient } from '../../generated/rpc.client.js'
import { type Scene, TALLY } from './client-scene.js'

export const generatedTrials = (scene: () => Scene): void => {
  let http: HttpClient
  let rpc: RpcClient
  beforeAll(() => {
    const auth = { apiKey: scene().key }
    http = createHttpClient({ server: scene().url, auth })
    rpc = createRpcClient({ server: `${scene().url}/zgt/{apiKey}`, auth })
  })

  const ABI = [
    'function sum() view returns (uint256)',
    'function add(uint256 amount) returns (uint256)',
    'event Added(address indexed by, uint256 amount)',
  ]

  const deployed = async () => {
    const { contractAddress } = await http.submitZkt({ body: { code: TALLY, arguments: ['7'] } })
    if (!contractAddress) throw new Error('no contract')
    return { abi: ABI, to: contractAddress }
  }

  const poll = async (queueId: string) => {
    const states: string[] = []
    for await (const record of http.getZktTransaction.poll(
      { path: { queueId } },
      { interval: 20 },
    )) {
      states.push(record.status)
    }
    return states
  }

  test.each(['with the key', 'without one'])(
    'a message %s is written and its status followed',
    async (how) => {
      const body = { arguments: `hello ${how}` }
      const { hash, queueId } = await (how === 'without one'
        ? http.tryZkt({ body })
        : http.submitZkt({ body }))
      if (!hash || !queueId) throw new Error('no hash or no queueId')
      expect((await poll(queueId)).at(-1)).toBe('completed')
      expect(await http.getZktTransaction({ path: { queueId } })).toMatchObject({
        status: 'completed',
        transactionHash: hash,
      })
      const transaction = await rpc.ethGetTransactionByHash(hash)
      expect(Buffer.from(String(transaction?.input).slice(2), 'hex').toString()).toContain(
        `hello ${how}`,
      )
    },
  )

  test('deploys, reads, writes and waits', async () => {
    const deploy = await http.submitZkt({ body: { code: TALLY, arguments: ['7'], id: 1 } })
    expect(deploy).toMatchObject({
      success: true,
      id: 1,
      abi: expect.arrayContaining([expect.objectContaining({ name: 'sum' })]),
    })
    const to = deploy.contractAddress ?? '0x'
    const contract = { abi: ABI, to }
    const read = { ...contract, method: 'sum', arguments: [], id: 'read' }
    expect(await http.submitZkt({ body: read })).toEqual({
      success: true,
      output: ['7'],
      id: 'read',
    })
    const written = await http.submitZkt({
      body: { ...contract, method: 'add', arguments: ['5'], id: 2, wait: true },
    })
    expect(written).toMatchObject({ success: true, id: 2, receipt: { status: '0x1' } })
    expect(await http.submitZkt({ body: read })).toMatchObject({ output: ['12'] })

    const logs = await rpc.ethGetLogs({ address: to, fromBlock: '0x0' })
    expect(logs).toHaveLength(1)
    expect(await rpc.ethGetCode(to)).toMatch(/^0x6080/)
    expect(BigInt(await rpc.ethGetStorageAt(to, '0x0', 'latest'))).toBe(12n)
    expect(await rpc.ethGetBalance(to)).toBe('0x0')
  })

  test('a write that does not wait is mined by itself', async () => {
    const answer = await http.submitZkt({
      body: { ...(await deployed()), method: 'add', arguments: [5] },
    })
    if (!('queueId' in answer) || !answer.queueId) throw new Error('no queueId')
    expect((await poll(answer.queueId)).at(-1)).toBe('completed')
  })

  test('50 reads at once, and 40 in one batch', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, () => rpc.ethChainId()))).toEqual(
      Array.from({ length: 50 }, () => `0x${scene().chainId.toString(16)}`),
    )
    const heights = await rpc.batch((b) =>
      Promise.all(Array.from({ length: 40 }, () => b.ethBlockNumber())),
    )
    expect(new Set(heights).size).toBe(1)
  })

  test('filters', async () => {
    const contract = await deployed()
    const filter = await rpc.ethNewFilter({ address: contract.to })
    await http.submitZkt({ body: { ...contract, method: 'add', arguments: ['3'], wait: true } })
    expect(await rpc.ethGetFilterChanges(filter)).toHaveLength(1)
    expect(await rpc.ethGetFilterChanges(filter)).toEqual([])
    expect(await rpc.ethGetFilterLogs(filter)).toHaveLength(1)
    expect(await rpc.ethUninstallFilter(filter)).toBe(true)
  })

  test('learns why, from the documented errors', async () => {
    const contract = await deployed()
    const refused = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      if (!isHttpError(error, 'submitZkt', 400)) throw error
      return error.body
    }
    const zero = { ...contract, method: 'add', arguments: ['0'], id: 9 }
    expect(await refused(http.submitZkt({ body: zero }))).toMatchObject({
      success: false,
      errorCode: 'EXECUTION_REVERTED',
      details: 'amount is zero',
      id: 9,
    })
    expect(
      await refused(http.submitZkt({ body: { code: 'contract A {\n  uint x }' } })),
    ).toMatchObject({
      errorCode: 'COMPILATION_FAILED',
      details: "ParserError: Expected ';' but got '}' (line 2)",
    })
    const stranger = createHttpClient({ server: scene().url, auth: { apiKey: 'nobodys-key' } })
    await expect(stranger.submitZkt({ body: { arguments: 'x' } })).rejects.toMatchObject({
      status: 401,
    })
    const queueId = '00000000-0000-4000-8000-000000000000'
    await expect(http.getZktTransaction({ path: { queueId } })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('reads without a key, and writes nothing', async () => {
    const reader = createRpcClient({ server: scene().readOnly })
    expect(await reader.ethChainId()).toBe(`0x${scene().chainId.toString(16)}`)
    const error = await reader.ethSendRawTransaction('0x00').catch((thrown: unknown) => thrown)
    expect(isRpcError(error) && error.message).toMatch(/key/)
  })
}
