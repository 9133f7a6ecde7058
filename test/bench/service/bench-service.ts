import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Hex } from 'viem'
import { createKeys } from '../../../src/service/access/keys.js'
import { openStore } from '../../../src/service/store/open-store.js'
import { createWallets } from '../../../src/service/wallet/wallets.js'
import { type Anvil, startAnvil } from '../../service/anvil.js'
import { createDatabase, postgresUrl, startCluster } from '../../service/postgres.js'
import { MNEMONIC, type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'

/** One node, one PostgreSQL, two gateways on them and fifty keys; undefined where there is no PostgreSQL. */
export const startScene = async (): Promise<Scene | undefined> => {
  const cluster = postgresUrl === undefined ? await startCluster() : undefined
  const server = postgresUrl ?? cluster?.url
  if (server === undefined) return undefined
  const database = await createDatabase(server)
  const node = await startAnvil()
  const unlimited = ['rpc', 'zkt', 'try-it-out', 'status'].flatMap((name) => [
    `--${name}-limit`,
    '0',
  ])
  const options = {
    args: [...unlimited, '--upstream', node.url, '--log-level', 'warn'],
    env: { DATABASE_URL: database.url, TWINSPEC_MNEMONIC: MNEMONIC, NODE_ENV: 'production' },
  }
  const gateways = [await startServiceProcess(options), await startServiceProcess(options)] as const
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-usage-'))
  const startRecording = () =>
    startServiceProcess({ ...options, args: [...options.args, '--usage', folder] })
  const callers = await makeCallers(database.url)
  return {
    node,
    gateways,
    callers,
    startRecording,
    stop: async () => {
      for (const gateway of gateways) await gateway.stop()
      await database.drop()
      await node.stop()
      await cluster?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Scene = {
  readonly node: Anvil
  readonly gateways: readonly [ServiceProcess, ServiceProcess]
  /** A third gateway, which records usage. The caller stops it. */
  readonly startRecording: () => Promise<ServiceProcess>
  /** API keys, and the wallets that sign for them. */
  readonly callers: readonly { readonly key: string; readonly address: Hex }[]
  readonly stop: () => Promise<void>
}

export const WALLETS = 50

const makeCallers = async (databaseUrl: string): Promise<Scene['callers']> => {
  const store = await openStore({ databaseUrl, log: pino({ level: 'silent' }) })
  try {
    const keys = createKeys(store)
    const wallets = createWallets(MNEMONIC)
    const callers: Scene['callers'][number][] = []
    for (let index = 0; index < WALLETS; index += 1) {
      const { key, wallet } = await keys.create({ name: `caller ${index}`, kind: 'private' })
      callers.push({ key, address: wallets.wallet(wallet).address })
    }
    return callers
  } finally {
    await store.close()
  }
}
