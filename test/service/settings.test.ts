import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { rpcService } from '../../generated/operations.js'
import { readSettings, settingFlags, settingVariables } from '../../src/service/settings.js'
import { UsageError } from '../../src/service/usage-error.js'

const MNEMONIC = 'test test test test test test test test test test test junk'
const ADDRESS = '0x00000000000000000000000000000000000000Aa'

test('what is not said has its default', () => {
  expect(readSettings({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    chainId: 20180427,
    upstream: undefined,
    databaseUrl: undefined,
    data: undefined,
    mnemonic: undefined,
    rpcLimit: rpcService.limits.requestsPerMinute,
    zktLimit: 60,
    tryItOutLimit: 60,
    statusLimit: 600,
    tryItOutGas: 500_000_000,
    tryItOutBytes: 50_000_000,
    chainMegabytes: 512,
    addressConnections: 500,
    trustProxy: [],
    corsOrigin: '*',
    noDocs: false,
    notOffered: [],
    usage: undefined,
    tokens: [],
    validators: [],
    activeValidators: [],
    compilerProcesses: 2,
    compilerSeconds: 10,
    compilerMegabytes: 1024,
    evmVersion: undefined,
    waitSeconds: 60,
    nodeSeconds: 30,
    stopSeconds: 30,
    checkAnswers: false,
    logLevel: 'info',
  })
})

test.each<[string, string, string, object]>([
  ['port', 'TWINSPEC_PORT', '0', { port: 0 }],
  ['host', 'TWINSPEC_HOST', '::1', { host: '::1' }],
  ['chain-id', 'TWINSPEC_CHAIN_ID', '101010', { chainId: 101010 }],
  ['upstream', 'TWINSPEC_UPSTREAM', 'http://n:1/k', { upstream: 'http://n:1/k' }],
  ['data', 'TWINSPEC_DATA', './data', { data: resolve('data') }],
  ['data', 'TWINSPEC_DATA', '/var/lib/data', { data: '/var/lib/data' }],
  ['rpc-limit', 'TWINSPEC_RPC_LIMIT', '0', { rpcLimit: 0 }],
  ['zkt-limit', 'TWINSPEC_ZKT_LIMIT', '5', { zktLimit: 5 }],
  ['chain-megabytes', 'TWINSPEC_CHAIN_MEGABYTES', '9', { chainMegabytes: 9 }],
  ['address-connections', 'TWINSPEC_ADDRESS_CONNECTIONS', '9', { addressConnections: 9 }],
  ['try-it-out-limit', 'TWINSPEC_TRY_IT_OUT_LIMIT', '5', { tryItOutLimit: 5 }],
  ['status-limit', 'TWINSPEC_STATUS_LIMIT', '5', { statusLimit: 5 }],
  ['try-it-out-gas', 'TWINSPEC_TRY_IT_OUT_GAS', '5', { tryItOutGas: 5 }],
  ['try-it-out-bytes', 'TWINSPEC_TRY_IT_OUT_BYTES', '5', { tryItOutBytes: 5 }],
  ['trust-proxy', 'TWINSPEC_TRUST_PROXY', '2', { trustProxy: 2 }],
  [
    'trust-proxy',
    'TWINSPEC_TRUST_PROXY',
    '10.0.0.0/8, loopback',
    { trustProxy: ['10.0.0.0/8', 'loopback'] },
  ],
  ['cors-origin', 'TWINSPEC_CORS_ORIGIN', 'https://app.example', {}],
  ['no-docs', 'TWINSPEC_NO_DOCS', 'true', { noDocs: true }],
  ['usage', 'TWINSPEC_USAGE', './usage', { usage: resolve('usage') }],
  ['not-offered', 'TWINSPEC_NOT_OFFERED', 'eth_call,net_version', {}],
  ['tokens', 'TWINSPEC_TOKENS', ADDRESS, { tokens: [ADDRESS] }],
  [
    'validators',
    'TWINSPEC_VALIDATORS',
    `${ADDRESS},${ADDRESS}`,
    { validators: [ADDRESS, ADDRESS] },
  ],
  ['active-validators', 'TWINSPEC_ACTIVE_VALIDATORS', ADDRESS, { activeValidators: [ADDRESS] }],
  ['compiler-processes', 'TWINSPEC_COMPILER_PROCESSES', '3', { compilerProcesses: 3 }],
  ['compiler-seconds', 'TWINSPEC_COMPILER_SECONDS', '3', { compilerSeconds: 3 }],
  ['compiler-megabytes', 'TWINSPEC_COMPILER_MEGABYTES', '512', { compilerMegabytes: 512 }],
  ['evm-version', 'TWINSPEC_EVM_VERSION', 'paris', { evmVersion: 'paris' }],
  ['wait-seconds', 'TWINSPEC_WAIT_SECONDS', '1', { waitSeconds: 1 }],
  ['node-seconds', 'TWINSPEC_NODE_SECONDS', '1', { nodeSeconds: 1 }],
  ['stop-seconds', 'TWINSPEC_STOP_SECONDS', '1', { stopSeconds: 1 }],
  ['check-answers', 'TWINSPEC_CHECK_ANSWERS', 'true', { checkAnswers: true }],
  ['log-level', 'TWINSPEC_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
])('--%s and %s take %s', (flag, variable, text, want) => {
  const byFlag = readSettings({ [flag]: text })
  expect(byFlag).toMatchObject(want)
  expect(byFlag).not.toEqual(readSettings({}))
  expect(readSettings({}, { [variable]: text })).toEqual(byFlag)
  expect(Object.keys(settingFlags())).toContain(flag)
})

test('a flag wins over its variable, and an empty variable is none', () => {
  expect(readSettings({ port: '1' }, { TWINSPEC_PORT: '2' }).port).toBe(1)
  expect(readSettings({}, { TWINSPEC_PORT: '', DATABASE_URL: '' })).toEqual(readSettings({}))
})

test('every bad setting is reported at once, and nothing that may be a secret', () => {
  const faults = faultsOf(
    {
      port: '65536',
      'chain-id': '0x1',
      upstream: 'ftp://me:hush@node',
      'trust-proxy': 'somebody',
      'cors-origin': 'app.example/',
      'not-offered': 'eth_call,anvil_mine',
      tokens: '0x12',
      'evm-version': 'tomorrow',
      'log-level': 'loud',
    },
    {
      TWINSPEC_RPC_LIMIT: '-1',
      TWINSPEC_CHECK_ANSWERS: 'yes',
      DATABASE_URL: 'postgres://me:hush%@db/one',
      TWINSPEC_MNEMONIC: 'hush hush',
    },
  )
  expect(faults).toMatchInlineSnapshot(`
    [
      "--port must be a whole number from 0 to 65535, not 65536",
      "--chain-id must be a whole number from 1 to 4503599627370476, not 0x1",
      "--upstream must be an address such as http://127.0.0.1:8545",
      "TWINSPEC_RPC_LIMIT must be a whole number from 0 to 1000000000, not -1",
      "--trust-proxy must be addresses and networks with commas between them, or a number of hops, not somebody",
      "--cors-origin must be * or an origin such as https://app.example, not app.example/",
      "--not-offered must be documented JSON-RPC methods, with commas between them, not eth_call,anvil_mine",
      "--tokens must be addresses of 20 bytes in hex (0x…), with commas between them, not 0x12",
      "--evm-version must be one of homestead, tangerineWhistle, spuriousDragon, byzantium, constantinople, petersburg, istanbul, berlin, london, paris, shanghai, cancun, prague, osaka, not tomorrow",
      "TWINSPEC_CHECK_ANSWERS must be true or false, not yes",
      "--log-level must be one of silent, fatal, error, warn, info, debug, trace, not loud",
      "DATABASE_URL must be an address such as postgres://user:password@127.0.0.1/twinspec",
      "TWINSPEC_MNEMONIC must be 12, 15, 18, 21 or 24 words in lower case with one space between them",
    ]
  `)
  expect(faults.join()).not.toContain('hush')
})

test('a database that outlives us needs a mnemonic that does', () => {
  const url = 'postgres://me:hush@127.0.0.1/one'
  const upstream = 'http://127.0.0.1:8545'
  expect(faultsOf({ upstream }, { DATABASE_URL: url })).toEqual([
    'DATABASE_URL needs TWINSPEC_MNEMONIC beside it, which the wallets are derived from: `npm run keys -- mnemonic` prints a new one',
  ])
  const settings = readSettings({ upstream }, { DATABASE_URL: url, TWINSPEC_MNEMONIC: MNEMONIC })
  expect(settings).toMatchObject({ databaseUrl: url, mnemonic: MNEMONIC })
})

test('a database that outlives us needs a chain that does', () => {
  const variables = { DATABASE_URL: 'postgres://db/one', TWINSPEC_MNEMONIC: MNEMONIC }
  expect(faultsOf({}, variables)).toEqual([
    'DATABASE_URL needs --upstream with the node whose chain it is for, or --data with a folder to keep a chain of our own in: a chain in memory is gone at the next start, and the database would belong to it',
  ])
  for (const kept of [{ upstream: 'http://127.0.0.1:8545' }, { data: './data' }])
    expect(readSettings(kept, variables)).toMatchObject({ databaseUrl: 'postgres://db/one' })
})

test('secrets are read from the environment alone', () => {
  expect(readSettings({ mnemonic: MNEMONIC, 'database-url': 'postgres://db/one' })).toEqual(
    readSettings({}),
  )
  expect(settingVariables().map(([name]) => name)).toEqual(['DATABASE_URL', 'TWINSPEC_MNEMONIC'])
  expect(Object.keys(settingFlags())).not.toContain('mnemonic')
})

const faultsOf = (...given: Parameters<typeof readSettings>): readonly string[] => {
  try {
    readSettings(...given)
  } catch (error) {
    if (error instanceof UsageError) return error.message.split('\n')
    throw error
  }
  return []
}
