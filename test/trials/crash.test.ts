import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type EmbeddedChain, startChain } from '../../src/service/embedded-chain/start-chain.js'
import { createDatabase, postgresUrl } from '../service/postgres.js'
import { crashTrial } from './crash-trial.js'
import { createKeysIn } from './keys.js'
import { minedOn } from './mined.js'
import { MNEMONIC, startServiceProcess } from './service-process.js'
import { countRuns, isFull, sized } from './size.js'
import { accepted, finalRecords, submitMessages } from './submissions.js'

const SIZE = { submissions: sized(60, 500), crashes: sized(1, 20) }
const UNLIMITED = ['--rpc-limit', '0', '--zkt-limit', '0', '--status-limit', '0']
const TIME = sized(400_000, 900_000)

describe('kill -9 while submissions go on', () => {
  it(
    'embedded: the store and the chain in one folder',
    async () => {
      const folder = await temporaryFolder()
      const gateway = await startServiceProcess({ args: [...UNLIMITED, '--data', folder] })
      try {
        const keys = await createKeysIn({ folder }, 10)
        const nodeUrl = `${gateway.url}/zgt/try-it-out`
        report('embedded', await crashTrial({ gateways: [gateway], nodeUrl, keys, ...SIZE }))
      } finally {
        await gateway.stop()
        await rm(folder, { recursive: true, force: true })
      }
    },
    TIME,
  )

  it(
    'embedded store, and a node behind that is killed too',
    async () => {
      const [folder, nodeFolder] = [await temporaryFolder(), await temporaryFolder()]
      const node = await startNode(nodeFolder)
      const gateway = await startServiceProcess({
        args: [...UNLIMITED, '--data', folder, '--upstream', node.url],
      })
      try {
        const keys = await createKeysIn({ folder }, 10)
        const crashNode = () => killNode(nodeFolder)
        const trial = { gateways: [gateway], nodeUrl: node.url, keys, crashNode, ...SIZE }
        report('embedded store, node killed', await crashTrial(trial))
      } finally {
        await gateway.stop()
        await node.close()
        for (const each of [folder, nodeFolder]) await rm(each, { recursive: true, force: true })
      }
    },
    TIME,
  )

  it('a node goes back while its gateway is down: what was completed is mined again', async () => {
    const [folder, nodeFolder] = [await temporaryFolder(), await temporaryFolder()]
    // It saves nothing but its start.
    const node = await startNode(nodeFolder, 600_000)
    const gateway = await startServiceProcess({
      args: [...UNLIMITED, '--data', folder, '--upstream', node.url],
    })
    try {
      const keys = await createKeysIn({ folder }, 3)
      const texts = Array.from({ length: 9 }, (_, index) => `before ${index}`)
      const taken = accepted(await submitMessages(texts, { addresses: [gateway.url], keys }))
      const queueIds = taken.map(({ queueId }) => queueId)
      const records = await finalRecords(gateway.url, queueIds, 120_000)
      expect(records.map(({ status }) => status)).toEqual(texts.map(() => 'completed'))
      const hashesOf = async () => (await minedOn(node.url)).map(({ hash }) => hash).sort()
      const mined = await hashesOf()
      await gateway.crash()
      await killNode(nodeFolder)
      await expect.poll(() => hashesOf().catch(() => mined), { timeout: 60_000 }).toEqual([])
      await gateway.start()
      await expect.poll(hashesOf, { timeout: 120_000 }).toEqual(mined)
      expect(await finalRecords(gateway.url, queueIds, 0)).toEqual(records)
    } finally {
      await gateway.stop()
      await node.close()
      for (const each of [folder, nodeFolder]) await rm(each, { recursive: true, force: true })
    }
  }, 400_000)

  it.skipIf(postgresUrl === undefined)(
    'two gateways on PostgreSQL, and a node behind that is killed too',
    async () => {
      const nodeFolder = await temporaryFolder()
      const node = await startNode(nodeFolder)
      const database = await createDatabase(postgresUrl as string)
      const options = {
        args: [...UNLIMITED, '--upstream', node.url],
        env: { DATABASE_URL: database.url, TWINSPEC_MNEMONIC: MNEMONIC },
      }
      const gateways = [await startServiceProcess(options), await startServiceProcess(options)]
      try {
        const keys = await createKeysIn({ databaseUrl: database.url }, 10)
        const crashNode = () => killNode(nodeFolder)
        const trial = { gateways, nodeUrl: node.url, keys, crashNode, ...SIZE }
        report('two gateways on PostgreSQL, node killed', await crashTrial(trial))
      } finally {
        for (const gateway of gateways) await gateway.stop()
        await database.drop()
        await node.close()
        await rm(nodeFolder, { recursive: true, force: true })
      }
    },
    TIME,
  )
})

const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'twinspec-crash-'))

/** A node that is started again by its supervisor from what was saved last, when it is killed. */
const startNode = (folder: string, savePause = 1_000): Promise<EmbeddedChain> =>
  startChain({ chainId: 20180427, folder, savePause, log: pino({ level: 'silent' }) })

const killNode = async (folder: string): Promise<void> => {
  const pid = Number(await readFile(join(folder, 'chain', 'anvil.pid'), 'utf8'))
  expect(pid).toBeGreaterThan(1)
  process.kill(pid, 'SIGKILL')
}

const report = (name: string, figures: object): void => {
  countRuns(SIZE.submissions)
  if (isFull) process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`)
}
