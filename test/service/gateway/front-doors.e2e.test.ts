import { chmod, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JsonRpcProvider, Wallet } from 'ethers'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'

let folder: string
let service: ServiceProcess
let key: string

/** The mode of the folder of a store that was made below a folder of mode 0755, and of one that was left open. */
const modes: number[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'front-doors-'))
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o755 })
  service = await startServiceProcess({ args: ['--no-docs', '--data', data, '--rpc-limit', '0'] })
  key = /ts_[0-9a-f]{12}_[0-9a-f]{48}/.exec(service.output())?.[0] ?? ''
  modes.push((await stat(join(data, 'store'))).mode & 0o777)
  await service.stop()
  await chmod(join(data, 'store'), 0o755)
  await service.start()
  modes.push((await stat(join(data, 'store'))).mode & 0o777)
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const HEADERS = { 'content-type': 'application/json' }
const ask = (path: string, method: string, params: unknown = []): Promise<Response> =>
  fetch(service.url + path, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

describe('the folder of the store', () => {
  it('is closed to other users where the data folder is open to them, and is closed again at a start', () => {
    expect(modes.map((mode) => mode.toString(8))).toEqual(['700', '700'])
  })
})

describe('error codes', () => {
  it('a key that is unknown, or missing for a write, has a code of its own', async () => {
    const unknown = await ask('/zgt/nobody', 'eth_chainId')
    expect(unknown.status).toBe(401)
    expect(await unknown.json()).toMatchObject({ error: { code: -32001 } })
    const missing = await ask('/zgt/try-it-out', 'eth_sendRawTransaction', ['0x00'])
    expect(missing.status).toBe(401)
    expect(await missing.json()).toMatchObject({ id: 1, error: { code: -32001 } })
  })

  it('an unknown tracer is a fault of the request, and the message names those that are known', async () => {
    const deployed = await fetch(`${service.url}/zkt/${key}`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify({ code: 'contract A { uint public x; }', arguments: [] }),
    })
    expect(deployed.status).toBe(200)
    const { hash } = await deployed.json()
    // The deployment is mined after its response, and an empty block may follow it.
    const { blockHash, blockNumber } = await vi.waitFor(
      async () => {
        const response = await ask('/zgt/try-it-out', 'eth_getTransactionReceipt', [hash])
        const { result } = await response.json()
        expect(result).toMatchObject({ status: '0x1' })
        return result
      },
      { timeout: 900_000 },
    )
    const traces = {
      debug_traceTransaction: [hash],
      debug_traceBlockByNumber: [blockNumber],
      debug_traceBlockByHash: [blockHash],
      debug_traceCall: [{ to: `0x${'1'.repeat(40)}` }, 'latest'],
    }
    for (const [method, params] of Object.entries(traces))
      for (const tracer of ['noSuchTracer', '{step(){},fault(){},result(){return 1}}']) {
        const { error } = await (
          await ask('/zgt/try-it-out', method, [...params, { tracer }])
        ).json()
        expect([method, error.code]).toEqual([method, -32602])
        expect(error.message).toMatch(/callTracer, noopTracer, prestateTracer/)
        const known = { tracer: 'callTracer' }
        const traced = await (await ask('/zgt/try-it-out', method, [...params, known])).json()
        expect([method, traced.error]).toEqual([method, undefined])
      }
  })

  it('viem says that a call ran out of gas, and not that its parameters are invalid', async () => {
    const client = createPublicClient({
      transport: http(`${service.url}/zgt/try-it-out`, { retryCount: 0 }),
    })
    // JUMPDEST, PUSH0, JUMP: an endless loop as the code of an account.
    const to = '0x00000000000000000000000000000000000c0de5'
    const loop = { address: to, code: '0x5b5f56' } as const
    const error: Error = await client.call({ to, gas: 100_000n, stateOverride: [loop] }).then(
      () => new Error('no error'),
      (caught: Error) => caught,
    )
    expect(error.message).toContain('out of gas')
    expect(error.message).not.toContain('Missing or invalid parameters')
  })
})

describe('ethers with the options of docs/libraries.md', () => {
  const connected = async () => {
    const guide = await readFile(new URL('../../../docs/libraries.md', import.meta.url), 'utf8')
    const option = (name: string) => Number(new RegExp(`${name}: (-?\\d+)`).exec(guide)?.[1])
    const options = {
      batchMaxCount: option('batchMaxCount'),
      cacheTimeout: option('cacheTimeout'),
      pollingInterval: 50,
    }
    const provider = new JsonRpcProvider(`${service.url}/zgt/${key}`, undefined, options)
    onTestFinished(() => provider.destroy())
    return provider
  }

  it('makes 100 calls at once, and each is answered', async () => {
    const provider = await connected()
    const addresses = Array.from({ length: 100 }, (_, at) => `0x${String(at).padStart(40, '0')}`)
    const balances = await Promise.all(addresses.map((one) => provider.getBalance(one)))
    expect(new Set(balances.map((one) => typeof one))).toEqual(new Set(['bigint']))
  })

  it('sends ten transactions in a row, each with a nonce of its own', async () => {
    const wallet = new Wallet(Wallet.createRandom().privateKey, await connected())
    const nonces: number[] = []
    for (let count = 0; count < 10; count++) {
      const sent = await wallet.sendTransaction({ to: wallet.address })
      expect((await sent.wait())?.status).toBe(1)
      nonces.push(sent.nonce)
    }
    expect(nonces).toEqual([...nonces.keys()])
  })
})

describe('paths', () => {
  it('a slash behind the key is accepted', async () => {
    const answer = await ask(`/zgt/${key}/`, 'eth_chainId')
    expect([answer.status, (await answer.json()).result]).toEqual([200, '0x133edcb'])
    const submission = await fetch(`${service.url}/zkt/try-it-out/`, {
      method: 'POST',
      headers: HEADERS,
      body: '{"arguments":"hello"}',
    })
    expect(submission.status).toBe(200)
    expect((await ask(`/zgt/${key}//`, 'eth_chainId')).status).toBe(404)
  })

  it('a request in absolute form (RFC 9112, 3.2.2) has the response of its path', async () => {
    const json = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
    for (const site of [
      service.url,
      'HTTP://other.example',
      'https://user:word@other.example:81',
    ]) {
      for (const path of ['/health', '/ready', '/metrics', '/ready?part=all']) {
        expect([site, path, (await send('GET', site + path)).status]).toEqual([site, path, 200])
        expect([site, path, (await send('HEAD', site + path)).status]).toEqual([site, path, 200])
      }
      const called = await send('POST', `${site}/zgt/${key}`, json)
      expect([called.status, JSON.parse(called.body).result]).toEqual([200, '0x133edcb'])
      const submitted = await send('POST', `${site}/zkt/${key}/`, '{"arguments":"hello"}')
      expect([submitted.status, JSON.parse(submitted.body).success]).toEqual([200, true])
      expect((await send('GET', `${site}/nothing`)).status).toBe(404)
    }
  })

  it('the name in an absolute form changes neither credentials nor CORS', async () => {
    const json = '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x00"]}'
    const inName = await send('POST', `http://${key}:${key}@${key}/zgt/try-it-out`, json)
    expect([inName.status, JSON.parse(inName.body).error.code]).toEqual([401, -32001])
    const unknown = await send(
      'POST',
      `http://${key}@other.example/zkt/nobody`,
      '{"arguments":"a"}',
    )
    expect(unknown.status).toBe(401)
    const preflight = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
    const { headers } = await send('OPTIONS', 'https://a.example/ready', undefined, preflight)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('pages of operators allow no other origin, not even in a preflight', async () => {
    for (const path of ['/metrics', '/health', '/ready']) {
      const { headers } = await fetch(service.url + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
      })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('a text in place of a key is removed from messages only if it may be a key', async () => {
    const message = async (path: string): Promise<string> =>
      (await (await ask(path, 'eth_sendRawTransaction', ['0x00'])).json()).error.message
    expect(await message('/zgt/n')).toBe(await message('/zgt/unknown'))
    expect(await message('/zgt/n')).not.toContain('[redacted]')
    const method = `ts_${'0123456789ab'}_${'0'.repeat(48)}`
    expect(await (await ask(`/zgt/${method}`, 'eth_call', { [method]: 1 })).text()).not.toContain(
      method,
    )
  })
})

/** Sends the target as it is written here, to the service. */
const send = (
  method: string,
  target: string,
  body?: string,
  headers: Readonly<Record<string, string>> = HEADERS,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { port: service.port, host: '127.0.0.1', method, path: target, headers }
    const sent = request(options, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve({ status: response.statusCode, headers: response.headers, body: text })
    })
    sent.on('error', reject).end(body)
  })

type Answer = {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

describe('package-lock.json', () => {
  it('has the integrity of every package, but of those for other machines that the registry lacks', async () => {
    const lock: Lock = JSON.parse(
      await readFile(new URL('../../../package-lock.json', import.meta.url), 'utf8'),
    )
    const without = Object.entries(lock.packages)
      .filter(([path, { link, integrity }]) => path !== '' && !link && !integrity)
      .map(([path]) => path.replace(/^node_modules\//, ''))
    expect(without).toEqual(NOT_SERVED)
  })
})

type Lock = {
  readonly packages: Readonly<
    Record<string, { readonly link?: boolean; readonly integrity?: string }>
  >
}

/** npm got 404 for them where the lock file was written: a machine that gets them adds their integrity, and this list ends. */
const NOT_SERVED = ['darwin-amd64', 'darwin-arm64', 'linux-arm64', 'win32-amd64'].map(
  (platform) => `@foundry-rs/anvil-${platform}`,
)
