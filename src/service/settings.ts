import type { Hex } from 'viem'

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
  /** Whether the reference is served at `/docs/`, by whoever hands one over. */
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
