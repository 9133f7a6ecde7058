import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'

const onLinux = it.runIf(process.platform === 'linux')

describe('the memory of the embedded chain', () => {
  let service: ServiceProcess
  beforeAll(async () => {
    service = await startServiceProcess({ args: ['--no-docs', '--zkt-limit', '0'] })
  })
  afterAll(() => service?.stop())

  onLinux(
    'S9: reads of all logs take no more memory than one response may have',
    async () => {
      const caller = callerOf(service)
      const to = await caller.deploy()
      for (let count = 0; count < 30; count += 1) await caller.writeLogs(to)
      const newest = await caller.settled()
      const before = await peakOfChain(service)
      for (const last of ['latest', 'pending', newest])
        expect((await caller.readLogs(caller.key, 'earliest', last)).body).toMatchObject({
          error: { code: -32003, message: 'response too large' },
        })
      expect((await peakOfChain(service)) - before).toBeLessThan(200_000_000)
      await caller.writeLogs(to, '10', '100')
      const next = `0x${(Number(newest) + 1).toString(16)}`
      expect(await caller.settled()).toBe(next)
      const read = await caller.readLogs(caller.key, next, 'latest')
      expect(read.body.result).toHaveLength(10)
    },
    120_000,
  )
})

describe('an embedded chain that has little memory left', () => {
  let service: ServiceProcess
  beforeAll(async () => {
    service = await startServiceProcess({
      args: ['--no-docs', '--zkt-limit', '0', '--chain-megabytes', '100'],
    })
  })
  afterAll(() => service?.stop())

  onLinux(
    'S9: callers without a key are answered 503, and callers with one go on',
    async () => {
      const caller = callerOf(service)
      const message = { arguments: 'hello' }
      expect((await caller.post('/zkt/try-it-out', message)).status).toBe(200)
      const to = await caller.deploy()
      for (let count = 0; count < 20; count += 1) await caller.writeLogs(to)
      await caller.settled()
      let write = await caller.post('/zkt/try-it-out', message)
      for (let tries = 0; write.status !== 503 && tries < 20; tries += 1) {
        await pause(250)
        write = await caller.post('/zkt/try-it-out', message)
      }
      expect(write.status).toBe(503)
      expect(Number(write.retryAfter)).toBeGreaterThan(0)
      expect(write.body).toMatchObject({ success: false, errorCode: 'UNAVAILABLE' })
      const read = await caller.readLogs('try-it-out', 'latest', 'latest')
      expect(read.status).toBe(503)
      expect(Number(read.retryAfter)).toBeGreaterThan(0)
      expect(read.body.error).toMatchObject({ code: -32005 })
      expect((await caller.rpc('try-it-out', 'eth_chainId', [])).status).toBe(200)
      expect((await caller.post(`/zkt/${caller.key}`, message)).status).toBe(200)
      expect((await caller.readLogs(caller.key, 'latest', 'latest')).status).toBe(200)
    },
    120_000,
  )
})

const SOURCE =
  'contract W { event L(bytes b); function logs(uint n, uint k) public { for (uint i; i < n; i++) emit L(new bytes(k)); } }'

type Answer = {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: {
    readonly error?: unknown
    readonly result?: unknown
    readonly contractAddress?: string
    readonly queueId?: string
    readonly status?: string
  }
}

const callerOf = ({ url, output }: ServiceProcess) => {
  const key = /\/zkt\/(\S{20,}) /.exec(output())?.[1] ?? ''
  let last = ''
  const read = async (response: Response): Promise<Answer> => ({
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.json(),
  })
  const post = async (path: string, body: unknown): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    return read(await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) }))
  }
  const rpc = (caller: string, method: string, params: readonly unknown[]): Promise<Answer> =>
    post(`/zgt/${caller}`, { jsonrpc: '2.0', id: 1, method, params })
  const submit = async (body: unknown): Promise<Answer> => {
    const answer = await post(`/zkt/${key}`, body)
    expect(answer.status).toBe(200)
    last = answer.body.queueId ?? ''
    return answer
  }
  /** Waits until the last submission is mined, and returns the newest block. */
  const settled = async (): Promise<string> => {
    for (let tries = 0; tries < 400; tries += 1) {
      const { body } = await read(await fetch(`${url}/gtn/v1/zkt/transaction/${last}`))
      if (body.status === 'completed') break
      await pause(50)
    }
    return String((await rpc(key, 'eth_blockNumber', [])).body.result)
  }
  return {
    key,
    post,
    rpc,
    settled,
    deploy: async (): Promise<string> => {
      const { body } = await submit({ code: SOURCE })
      await settled()
      return body.contractAddress ?? ''
    },
    /** 4 MB of logs, where nothing else is given. */
    writeLogs: (to: string, count = '1000', bytes = '4000'): Promise<Answer> =>
      submit({
        abi: ['function logs(uint256 n, uint256 k)'],
        to,
        method: 'logs',
        arguments: [count, bytes],
      }),
    readLogs: (caller: string, fromBlock: string, toBlock: string): Promise<Answer> =>
      rpc(caller, 'eth_getLogs', [{ fromBlock, toBlock }]),
  }
}

/** Bytes that the chain process has had in memory at most, as Linux shows them. */
const peakOfChain = async (service: ServiceProcess): Promise<number> => {
  for (const name of await readdir('/proc')) {
    const program = await readlink(`/proc/${name}/exe`).catch(() => '')
    if (!/\/anvil$/.test(program) || !(await isOfService(Number(name), service))) continue
    const text = await readFile(`/proc/${name}/status`, 'utf8')
    return 1_024 * Number(/^VmHWM:\s+(\d+)/m.exec(text)?.[1])
  }
  throw new Error('there is no chain process')
}

const isOfService = async (pid: number, service: ServiceProcess): Promise<boolean> => {
  if (pid === service.pid()) return true
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const parent = Number(/^PPid:\s+(\d+)/m.exec(text)?.[1] ?? 0)
  return parent > 1 && isOfService(parent, service)
}
