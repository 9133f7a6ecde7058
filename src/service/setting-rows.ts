import type { XStatic } from 'typebox/schema'
import type { Hex } from 'viem'
import { rpcService } from '../../generated/operations.js'

/** One setting: its schema, whose description ends the sentence of an error, its default and its meaning. */
export type SettingRow<S = SettingSchema, D = unknown> = {
  /** The description in `--help`. */
  readonly says: string
  readonly schema: S
  readonly default: D
  /** The name of the value in `--help`; a switch has none. */
  readonly hint?: string
  /** The only source, an environment variable: every user of a machine can see a command line. */
  readonly variable?: string
  /** May contain a password or a key, so the value is never printed. */
  readonly secret?: true
  /** A path. It is absolute once it is read, because child processes run in other folders. */
  readonly isPath?: true
}

/** Plain JSON Schema: `typebox/schema` loads in a third of the time of TypeBox's builders, and every start waits for it. */
type SettingSchema = { readonly description: string } & Readonly<Record<string, unknown>>

/** The settings of the service. */
export type Settings = {
  readonly [Name in keyof typeof settingRows]: ValueOf<(typeof settingRows)[Name]>
}

/** TypeBox does not derive types from patterns. */
type ValueOf<Row> = Row extends {
  readonly schema: { readonly items: { readonly pattern: `^0x${string}` } }
}
  ? readonly Hex[]
  : Row extends { readonly schema: infer S; readonly default: infer D }
    ? XStatic<S> | (D extends undefined ? undefined : never)
    : never

const row = <const S extends SettingSchema, const D>(row: SettingRow<S, D>): SettingRow<S, D> => row

const whole = (minimum: number, maximum: number) =>
  ({
    type: 'integer',
    minimum,
    maximum,
    description: `a whole number from ${minimum} to ${maximum}`,
  }) as const

const limit = (who: string, points: number) =>
  row({
    says: `${who} a minute; 0 sets no limit`,
    schema: whole(0, 1_000_000_000),
    default: points,
    hint: 'number',
  })

const seconds = (says: string, byDefault: number) =>
  row({ says, schema: whole(1, 3_600), default: byDefault, hint: 'number' })

const addresses = (says: string) =>
  row({
    says,
    schema: {
      type: 'array',
      items: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
      description: 'addresses of 20 bytes in hex (0x…), with commas between them',
    },
    default: [],
    hint: 'addresses',
  })

/** A URL with one of these schemes, and with valid percent-encoding. */
const url = (description: string, schemes: string) =>
  ({
    type: 'string',
    pattern: `^(${schemes})://([^%\\s]|%[0-9a-fA-F]{2})+$`,
    format: 'url',
    description,
  }) as const

/** An IP address, a network, or one of the names that proxy-addr defines. */
const PROXY = '^([0-9a-fA-F.:]+(/\\d{1,3})?|loopback|linklocal|uniquelocal)$'

const METHODS = Object.values(rpcService.operations).map(({ method }) => method)

const EVM_VERSIONS = [
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const

const LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

const oneOf = <const T extends readonly string[]>(names: T) =>
  ({ enum: names, description: `one of ${names.join(', ')}` }) as const

/** By setting: `chainId` is `--chain-id`, and TWINSPEC_CHAIN_ID if the row has no variable. */
export const settingRows = {
  port: row({
    says: 'Port to listen on; 0 takes a free one',
    schema: whole(0, 65_535),
    default: 8080,
    hint: 'number',
  }),
  host: row({
    says: 'Address to listen on; 0.0.0.0 accepts calls from other machines',
    schema: { type: 'string', pattern: '^[^\\s/]+$', description: 'a name or an address' },
    default: '127.0.0.1',
    hint: 'name',
  }),
  chainId: row({
    says: 'Chain ID; the node must have the same',
    // The maximum of wallets: twice the id plus 36 must be a safe integer of JavaScript.
    schema: whole(1, 4_503_599_627_370_476),
    default: 20_180_427,
    hint: 'number',
  }),
  upstream: row({
    says: 'JSON-RPC address of the node; without it, the embedded chain',
    schema: url('an address such as http://127.0.0.1:8545', 'https?'),
    default: undefined,
    hint: 'url',
    secret: true,
  }),
  data: row({
    says: 'Folder of the embedded store and chain; without it, nothing is kept',
    schema: { type: 'string', minLength: 1, description: 'a folder' },
    default: undefined,
    hint: 'folder',
    isPath: true,
  }),
  rpcLimit: limit(
    'JSON-RPC requests of a key, or of an address without one,',
    rpcService.limits.requestsPerMinute,
  ),
  zktLimit: limit('Submissions of a key', 60),
  tryItOutLimit: limit('Submissions of an address without a key', 60),
  statusLimit: limit('Status lookups of an address', 600),
  // A message of 1 MB uses 42 million units of gas, and no submission uses more than 125 million.
  tryItOutGas: limit('Units of gas of the submissions of an address without a key', 500_000_000),
  tryItOutBytes: limit(
    'Bytes that the chain keeps of the submissions of an address without a key',
    50_000_000,
  ),
  chainMegabytes: row({
    says: 'Memory of the embedded chain above which callers without a key get 503 for submissions, logs and traces; Linux only',
    schema: whole(1, 1_048_576),
    default: 512,
    hint: 'number',
  }),
  addressConnections: row({
    says: 'Open connections of an address, unless --trust-proxy is set; 0 sets no limit',
    schema: whole(0, 1_000_000),
    default: 500,
    hint: 'number',
  }),
  trustProxy: row({
    says: 'Reverse proxies whose X-Forwarded-For is read: addresses, networks or a number of hops',
    schema: {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: 100 },
        { type: 'array', items: { type: 'string', pattern: PROXY } },
      ],
      description: 'addresses and networks with commas between them, or a number of hops',
    },
    default: [],
    hint: 'addresses',
  }),
  corsOrigin: row({
    says: 'Origin whose web pages may call; * allows all',
    schema: {
      type: 'string',
      pattern: '^(\\*|https?://[^\\s/]+)$',
      description: '* or an origin such as https://app.example',
    },
    default: '*',
    hint: 'origin',
  }),
  noDocs: row({
    says: 'Do not serve the reference at /docs/',
    schema: { type: 'boolean', description: 'true or false' },
    default: false,
  }),
  notOffered: row({
    says: 'Methods to reject with -32601, in addition to those that the node lacks',
    schema: {
      type: 'array',
      items: { type: 'string', pattern: `^(${METHODS.join('|')})$` },
      description: 'documented JSON-RPC methods, with commas between them',
    },
    default: [],
    hint: 'methods',
  }),
  usage: row({
    says: 'Folder for records of what callers use, without their values, for `twinspec usage`',
    schema: { type: 'string', minLength: 1, description: 'a folder' },
    default: undefined,
    hint: 'folder',
    isPath: true,
  }),
  tokens: addresses('Result of chain_getSupportedTokens'),
  validators: addresses('Result of chain_getValidatorList'),
  activeValidators: addresses('Result of chain_getActiveValidatorList'),
  compilerProcesses: row({
    says: 'Solidity compilers that run at a time; all but one also serve callers without a key',
    schema: whole(1, 64),
    default: 2,
    hint: 'number',
  }),
  compilerSeconds: seconds('Seconds that the compilation of a source may take', 10),
  compilerMegabytes: row({
    says: 'Memory of a compiler process',
    schema: whole(256, 65_536),
    default: 1_024,
    hint: 'number',
  }),
  evmVersion: row({
    says: 'EVM version that contracts are compiled for; the default of the compiler otherwise',
    schema: oneOf(EVM_VERSIONS),
    default: undefined,
    hint: 'name',
  }),
  waitSeconds: seconds(
    'Seconds that a response with `wait` waits for the transaction to be mined',
    60,
  ),
  nodeSeconds: seconds('Seconds that the node may take to respond', 30),
  stopSeconds: seconds('Seconds that a stop gives to open requests', 30),
  checkAnswers: row({
    says: 'Validate every response against the documents',
    schema: { type: 'boolean', description: 'true or false' },
    default: false,
  }),
  logLevel: row({
    says: 'Least level of the log, which goes to standard error',
    schema: oneOf(LEVELS),
    default: 'info',
    hint: 'level',
  }),
  databaseUrl: row({
    says: 'postgres://…, used instead of the embedded store',
    schema: url(
      'an address such as postgres://user:password@127.0.0.1/twinspec',
      'postgres(?:ql)?',
    ),
    default: undefined,
    variable: 'DATABASE_URL',
    secret: true,
  }),
  mnemonic: row({
    says: 'Mnemonic of all wallets; `npm run keys -- mnemonic` prints a new one',
    schema: {
      type: 'string',
      pattern: '^[a-z]+( [a-z]+){11}(( [a-z]+){3}){0,4}$',
      description: '12, 15, 18, 21 or 24 words in lower case with one space between them',
    },
    default: undefined,
    variable: 'TWINSPEC_MNEMONIC',
    secret: true,
  }),
}
