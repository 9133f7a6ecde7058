// A process of plain JavaScript that calls a canned server as each client does; `clients.ts` bundles it.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { Agent as NodeAgent } from 'node:http'
import { JsonRpcProvider, Network } from 'ethers'
import jayson from 'jayson'
import ky from 'ky'
import createFetchClient from 'openapi-fetch'
import { Pool } from 'undici'
import { createClient, http } from 'viem'
import { createHttpClient } from '../../../generated/http.client.ts'
import { httpService, tryZkt } from '../../../generated/operations.ts'
import { createRpcClient } from '../../../generated/rpc.client.ts'
import { httpValidators } from '../../../generated/validators.ts'
import { createHttp } from '../../../src/runtime/http.ts'
import { createRpc } from '../../../src/runtime/rpc.ts'
import { cpuRace, inFlight } from '../cpu-race.ts'
import { accountsText } from './accounts.mjs'

const { task, rounds, times, canned, version1, results, body, answer } = JSON.parse(process.argv[2])

const old = version1 && (await import(version1))

/** A side for the clients of version 1, where they are known. */
const ofVersion1 = (createCall) => (old ? { 'version 1': createCall(old) } : {})

const PARAMS = ['0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a', 'latest']
const RESULT = results.eth_getBalance
const WIDTH = 64
const BATCH = 40
const forty = (call) => Array.from({ length: BATCH }, call)

const server = fork(canned, [JSON.stringify({ results, answer })], { execArgv: [] })
const { port } = await new Promise((resolve) => server.once('message', resolve))
const origin = `http://127.0.0.1:${port}`
const url = `${origin}/rpc`
const headers = { 'content-type': 'application/json' }

const pool = new Pool(origin, { connections: WIDTH })

/** The least that a call can be: its JSON is written, sent, waited for and read. */
const dispatch = (path, value) =>
  new Promise((resolve, reject) => {
    const chunks = []
    pool.dispatch(
      { path, method: 'POST', headers, body: JSON.stringify(value) },
      {
        onConnect() {},
        onHeaders: () => true,
        onData(chunk) {
          chunks.push(chunk)
          return true
        },
        onComplete: () => resolve(JSON.parse(Buffer.concat(chunks).toString())),
        onError: reject,
      },
    )
  })

let lastId = 0
const request = () => {
  lastId += 1
  return { jsonrpc: '2.0', id: lastId, method: 'eth_getBalance', params: PARAMS }
}

const fetched = async (value) => {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(value) })
  return response.json()
}

const ours = createRpcClient({ server: url })

const viem = (batch) => createClient({ transport: http(url, { batch }) })
const viemCall = (client) => () => client.request({ method: 'eth_getBalance', params: PARAMS })

const network = Network.from(1)
const ethers = (batchMaxCount) =>
  new JsonRpcProvider(url, network, { staticNetwork: network, batchMaxCount, batchStallTime: 0 })
const ethersCall = (provider) => () => provider.send('eth_getBalance', PARAMS)

const agent = new NodeAgent({ keepAlive: true, maxSockets: WIDTH })
const jaysonClient = jayson.Client.http({ hostname: '127.0.0.1', port, path: '/rpc', agent })
const jaysonCall = (...given) =>
  new Promise((resolve, reject) => {
    jaysonClient.request(...given, (error, value) => (error ? reject(error) : resolve(value)))
  })

const calls = () => {
  const [viemOne, ethersOne] = [viemCall(viem(false)), ethersCall(ethers(1))]
  return {
    ours: () => ours.ethGetBalance(...PARAMS),
    'undici dispatch': async () => (await dispatch('/rpc', request())).result,
    jayson: async () => (await jaysonCall('eth_getBalance', PARAMS)).result,
    ethers: ethersOne,
    'global fetch': async () => (await fetched(request())).result,
    viem: viemOne,
    ...ofVersion1(({ createRpcClient }) => {
      const client = createRpcClient({ server: url })
      return () => client.ethGetBalance(...PARAMS)
    }),
  }
}

const batches = () => {
  const viemMany = viemCall(viem({ wait: 0, batchSize: BATCH }))
  const ethersMany = ethersCall(ethers(BATCH))
  const results = (answers) => answers.map(({ result }) => result)
  const jaysonOne = () => jaysonClient.request('eth_getBalance', PARAMS)
  return {
    ours: () => ours.batch((batch) => Promise.all(forty(() => batch.ethGetBalance(...PARAMS)))),
    'undici dispatch': async () => results(await dispatch('/rpc', forty(request))),
    jayson: async () => results(await jaysonCall(forty(jaysonOne))),
    ethers: () => Promise.all(forty(ethersMany)),
    'global fetch': async () => results(await fetched(forty(request))),
    viem: () => Promise.all(forty(viemMany)),
    ...ofVersion1(({ createRpcClient }) => {
      const client = createRpcClient({ server: url })
      return () => client.batch((batch) => Promise.all(forty(() => batch.ethGetBalance(...PARAMS))))
    }),
  }
}

const submissions = () => {
  const own = createHttpClient({ server: origin })
  const openapi = createFetchClient({ baseUrl: origin })
  const path = '/zkt/try-it-out'
  return {
    ours: () => own.tryZkt({ body }),
    'undici dispatch': () => dispatch(path, body),
    'openapi-fetch': async () => (await openapi.POST(path, { body })).data,
    ky: () => ky.post(`${origin}${path}`, { json: body }).json(),
    ...ofVersion1(({ createHttpClient }) => {
      const client = createHttpClient({ server: origin })
      return () => client.tryZkt({ body })
    }),
  }
}

/** The same submission, where the document asks for a token. */
const authorized = () => {
  const secured = { ...tryZkt, security: [['token']], schemes: { token: { kind: 'bearer' } } }
  const service = { ...httpService, operations: { tryZkt: secured } }
  const own = createHttp(service, httpValidators, { server: origin, auth: { token: 'a-token' } })
  const bearer = { authorization: 'Bearer a-token' }
  const openapi = createFetchClient({ baseUrl: origin, headers: bearer })
  const path = '/zkt/try-it-out'
  return {
    ours: () => own.tryZkt({ body }),
    'openapi-fetch': async () => (await openapi.POST(path, { body })).data,
    ky: () => ky.post(`${origin}${path}`, { json: body, headers: bearer }).json(),
  }
}

/** A large response with one number that a double rounds, which our client reports. */
const numbers = () => {
  const get = { kind: 'rpc', id: 'get', method: 'getProgramAccounts', params: [], errors: [] }
  const operations = { get: { ...get, paramStructure: 'by-position' } }
  const open = { check: () => true, open: () => true }
  let warnings = 0
  const onWarning = () => {
    warnings += 1
  }
  const own = createRpc(
    { servers: [], path: '/rpc', operations },
    { get: { params: open, result: open } },
    { server: url, onWarning },
  )
  const sent = () => ({ ...request(), method: get.method, params: [] })
  return {
    ours: async () => {
      const before = warnings
      const accounts = await own.get()
      assert.ok(warnings > before)
      return accounts
    },
    'undici dispatch': async () => (await dispatch('/rpc', sent())).result,
    'global fetch': async () => (await fetched(sent())).result,
  }
}

const TASKS = {
  call: [calls, RESULT],
  batch: [batches, forty(() => RESULT)],
  http: [submissions, answer],
  bearer: [authorized, answer],
  numbers: [numbers, JSON.parse(accountsText()), 1],
}

const [make, want, width = WIDTH] = TASKS[task]
const sides = make()
for (const [side, call] of Object.entries(sides)) assert.deepEqual(await call(), want, side)
const works = Object.entries(sides).map(([side, call]) => [
  side,
  (count) => inFlight(call, count, width),
])
const report = (progress) => process.send({ report: progress })
const result = await cpuRace(Object.fromEntries(works), { times, rounds, report })
process.send({ sides: result }, () => {
  server.disconnect()
  process.exit()
})
