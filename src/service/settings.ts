import { Check } from 'typebox/schema'
import type { Hex } from 'viem'
import type { Flags } from './command-line.js'
import { type SettingRow, settingRows, type ValueOf } from './setting-rows.js'
import { UsageError } from './usage-error.js'

/** How the service is to run, read from flags and environment; whatever is not said has its default. */
export type Settings = {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly chainId: number
  /** The JSON-RPC address of the node behind; a chain of our own where absent. */
  readonly upstream: URL | undefined
  /** `postgres://…`; an embedded store where absent. */
  readonly databaseUrl: string | undefined
  /** The folder of the embedded store and chain; where absent, nothing is kept. */
  readonly data: string | undefined
  /** What wallets are derived from; made, and kept in `data`, where absent and the store is embedded. */
  readonly mnemonic: string | undefined
  /** Requests a minute; 0 sets no limit. */
  readonly limits: {
    readonly rpc: number
    readonly zkt: number
    readonly tryItOut: number
    readonly status: number
  }
  /** What the submissions of an address without a key may cost a minute; 0 sets no limit. */
  readonly budgets: {
    /** Units of gas. */
    readonly tryItOutGas: number
    /** Bytes that the chain keeps. */
    readonly tryItOutBytes: number
  }
  /** Megabytes of our own chain past which callers without a key neither write nor read much. */
  readonly chainMegabytes: number
  /** How many connections one address may keep open; 0 sets no limit. */
  readonly addressConnections: number
  /** Reverse proxies whose `X-Forwarded-For` is believed: addresses and networks, or a number of hops. */
  readonly trustProxy: readonly string[] | number
  readonly corsOrigin: string
  /** Whether the reference is served at `/docs/`. */
  readonly docs: boolean
  /** Methods that the node is not asked for, beside those that it is found to lack. */
  readonly notOffered: readonly string[]
  readonly tokens: readonly Hex[]
  readonly validators: readonly Hex[]
  readonly activeValidators: readonly Hex[]
  readonly compiler: {
    /** How many run at a time. */
    readonly processes: number
    readonly seconds: number
    readonly megabytes: number
    readonly evmVersion: string | undefined
  }
  /** Seconds after which a held answer says that the transaction is not mined yet. */
  readonly waitSeconds: number
  /** Seconds for the node to answer. */
  readonly nodeSeconds: number
  /** Seconds that a stop gives to what was accepted. */
  readonly stopSeconds: number
  /** Whether every answer is checked against the documents before it leaves. */
  readonly checkAnswers: boolean
  readonly logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
}

/**
 * Settings as flags and environment tell them; a flag wins. Throws UsageError with a sentence for each that cannot be
 * right, all at once. An empty variable counts as absent.
 */
export const readSettings = (flags: SettingInputs, environment: SettingInputs = {}): Settings => {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, row] of Object.entries<SettingRow>(settingRows)) {
    const given = givenFor(name, row, flags, environment)
    const value = given === undefined ? row.default : meaningOf(row, given.text)
    values[name] = value
    if (given === undefined || fits(row, value)) continue
    const shown = row.secret || given.text === '' ? '' : `, not ${given.text}`
    faults.push(`${given.by} must be ${row.schema.description}${shown}`)
  }
  const { 'database-url': databaseUrl, mnemonic } = values
  if (databaseUrl !== undefined && mnemonic === undefined) {
    faults.push(
      'DATABASE_URL needs TWINSPEC_MNEMONIC beside it, which the wallets are derived from: `npm run keys -- mnemonic` prints a new one',
    )
  }
  if (databaseUrl !== undefined && values.upstream === undefined && values.data === undefined) {
    faults.push(
      'DATABASE_URL needs --upstream with the node whose chain it is for, or --data with a folder to keep a chain of our own in: a chain in memory is gone at the next start, and the database would belong to it',
    )
  }
  if (faults.length > 0) throw new UsageError(faults)
  return settingsOf(values as Values)
}

/** Values by flag or by variable, and other entries, which are ignored. */
export type SettingInputs = Readonly<
  Record<string, string | boolean | readonly string[] | undefined>
>

/** The flags. Defaults are in the help text only: a flag that was not given leaves it to the environment. */
export const settingFlags = (): Flags =>
  Object.fromEntries(
    Object.entries<SettingRow>(settingRows).flatMap(([name, row]) => {
      if (row.variable !== undefined) return []
      const says = `${row.says} (${variableOf(name, row)}${defaultOf(row)})`
      return [[name, { says, hint: row.hint }]]
    }),
  )

/** What is read from the environment alone: variable and meaning. */
export const settingVariables = (): readonly (readonly [string, string])[] =>
  Object.values<SettingRow>(settingRows).flatMap(({ variable, says }) =>
    variable === undefined ? [] : [[variable, says] as const],
  )

/** Every variable that is read. */
export const variableNames = (): readonly string[] =>
  Object.entries<SettingRow>(settingRows).map(([name, row]) => variableOf(name, row))

type Values = {
  readonly [K in keyof typeof settingRows]:
    | ValueOf<(typeof settingRows)[K]>
    | ((typeof settingRows)[K]['default'] extends undefined ? undefined : never)
}

const settingsOf = (values: Values): Settings => ({
  host: values.host,
  port: values.port,
  chainId: values['chain-id'],
  upstream: values.upstream === undefined ? undefined : new URL(values.upstream),
  databaseUrl: values['database-url'],
  data: values.data,
  mnemonic: values.mnemonic,
  limits: {
    rpc: values['rpc-limit'],
    zkt: values['zkt-limit'],
    tryItOut: values['try-it-out-limit'],
    status: values['status-limit'],
  },
  budgets: {
    tryItOutGas: values['try-it-out-gas'],
    tryItOutBytes: values['try-it-out-bytes'],
  },
  chainMegabytes: values['chain-megabytes'],
  addressConnections: values['address-connections'],
  trustProxy: values['trust-proxy'],
  corsOrigin: values['cors-origin'],
  docs: !values['no-docs'],
  notOffered: values['not-offered'],
  tokens: values.tokens as readonly Hex[],
  validators: values.validators as readonly Hex[],
  activeValidators: values['active-validators'] as readonly Hex[],
  compiler: {
    processes: values['compiler-processes'],
    seconds: values['compiler-seconds'],
    megabytes: values['compiler-megabytes'],
    evmVersion: values['evm-version'],
  },
  waitSeconds: values['wait-seconds'],
  nodeSeconds: values['node-seconds'],
  stopSeconds: values['stop-seconds'],
  checkAnswers: values['check-answers'],
  logLevel: values['log-level'],
})

const variableOf = (name: string, { variable }: SettingRow): string =>
  variable ?? `TWINSPEC_${name.toUpperCase().replaceAll('-', '_')}`

const givenFor = (
  name: string,
  row: SettingRow,
  flags: SettingInputs,
  environment: SettingInputs,
) => {
  const flag = row.variable === undefined ? flags[name] : undefined
  if (flag !== undefined) return { by: `--${name}`, text: String(flag) }
  const variable = variableOf(name, row)
  const text = environment[variable]
  return text === undefined || text === '' ? undefined : { by: variable, text: String(text) }
}

/** What the text means where the schema allows it to mean that; otherwise the text itself, which the schema then refuses. */
const meaningOf = ({ schema }: SettingRow, text: string): unknown => {
  const meanings = 'anyOf' in schema ? (schema.anyOf as readonly object[]) : [schema]
  const kinds = meanings.map((one) => ('type' in one ? one.type : undefined))
  if (kinds.includes('integer') && /^-?\d+$/.test(text)) return Number(text)
  if (kinds.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if (kinds.includes('array')) return text.split(',').map((one) => one.trim())
  return text
}

/** What an address is, no pattern can say. */
const fits = ({ schema }: SettingRow, value: unknown): boolean =>
  Check(schema, value) && (schema.format !== 'url' || URL.canParse(String(value)))

const defaultOf = ({ default: value, hint }: SettingRow): string => {
  if (value === undefined || hint === undefined) return ''
  const text = String(value)
  return text === '' ? '' : `; ${text}`
}

export type GatewaySettings = Pick<
  Settings,
  | 'host'
  | 'port'
  | 'addressConnections'
  | 'trustProxy'
  | 'corsOrigin'
  | 'checkAnswers'
  | 'stopSeconds'
  | 'waitSeconds'
  | 'nodeSeconds'
  | 'compiler'
>
