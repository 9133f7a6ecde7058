import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startChain } from '../../src/service/embedded-chain/start-chain.js'
import { createDatabase, postgresUrl } from '../service/postgres.js'
import { createKeysIn } from './keys.js'
import { LIE_NAMES, lyingNode } from './lying-node.js'
import { minedOn, outOfOrder, textsOf } from './mined.js'
import { MNEMONIC, pause, startServiceProcess } from './service-process.js'
import { countRuns, isFull, sized } from './size.js'
import { accepted, finalRecords, submitMessages } from './submissions.js'

const ROUNDS = sized(2, 50)
const SUBMISSIONS = sized(20, 300)
/** Milliseconds after a recovery in which everything must reach its end. */
const PATIENCE = 110_000
const UNLIMITED = ['--rpc-limit', '0', '--zkt-limit', '0', '--status-limit', '0']

it.skipIf(postgresUrl === undefined)(
  'nothing that two gateways accepted waits once a lying node tells the truth again',
  async () => {
    countRuns(ROUNDS)
    const folder = await mkdtemp(join(tmpdir(), 'twinspec-lies-'))
    const real = await startChain({ chainId: 20180427, folder, log: pino({ level: 'silent' }) })
    const node = await lyingNode(real.url)
    const database = await createDatabase(postgresUrl as string)
    const options = {
      args: [...UNLIMITED, '--upstream', node.url],
      env: { DATABASE_URL: database.url, TWINSPEC_MNEMONIC: MNEMONIC },
    }
    const gateways = [await startServiceProcess(options), await startServiceProcess(options)]
    try {
      const addresses = gateways.map(({ url }) => url)
      const keys = await createKeysIn({ databaseUrl: database.url }, 10)
      for (let round = 0; round < ROUNDS; round += 1) {
        const lie = LIE_NAMES[round % LIE_NAMES.length] as string
        const named = `round ${round}, ${lie}`
        const texts = Array.from({ length: SUBMISSIONS }, (_, index) => `${round} ${index}`)
        const sending = submitMessages(texts, { addresses, keys, concurrency: 8 })
        await pause(Math.random() * 500)
        node.lie(lie)
        await pause(sized(2_000, 3_000 + Math.random() * 10_000))
        node.recover()
        const taken = accepted(await sending)
        const begun = performance.now()
        const queueIds = taken.map(({ queueId }) => queueId)
        const [address = ''] = addresses
        const records = await finalRecords(address, queueIds, PATIENCE).catch((error: unknown) => {
          const output = gateways.map((one) => one.output()).join('\n---\n')
          throw new Error(`${named}: ${String(error)}\n${output}`)
        })
        const mined = await minedOn(real.url)
        const counts = textsOf(mined)
        const wrong = taken.flatMap(({ text }, index) => {
          const count = counts.get(text) ?? 0
          const wanted = records[index]?.status === 'completed' ? 1 : 0
          return count === wanted
            ? []
            : [`${text}: ${records[index]?.status}, mined ${count} times`]
        })
        expect(wrong, named).toEqual([])
        expect(outOfOrder(mined), named).toEqual([])
        if (!isFull) continue
        const ended = records.filter(({ status }) => status === 'error').length
        const seconds = Math.round((performance.now() - begun) / 100) / 10
        process.stdout.write(
          `${named}: ${taken.length} accepted, ${ended} ended, ${seconds} s after the recovery\n`,
        )
      }
    } finally {
      node.recover()
      for (const gateway of gateways) await gateway.stop()
      await database.drop()
      await node.stop()
      await real.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
  sized(400_000, ROUNDS * (PATIENCE + 60_000)),
)
