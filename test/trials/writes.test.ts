import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startAnvil } from '../service/anvil.js'
import { createDatabase, postgresUrl } from '../service/postgres.js'
import { createKeysIn } from './keys.js'
import { minedOn, textsOf } from './mined.js'
import { refusingNode } from './refusing-node.js'
import { MNEMONIC, startServiceProcess } from './service-process.js'
import { countRuns, isFull, sized } from './size.js'
import { accepted, finalRecords, submitMessages } from './submissions.js'
import { writesTrial } from './writes-trial.js'

const WRITES = sized(200, 1000)
const KEYS = sized(10, 50)
const UNLIMITED = ['--rpc-limit', '0', '--zkt-limit', '0', '--status-limit', '0']

describe('many writes at once', () => {
  it(
    `embedded: ${WRITES} from ${KEYS} keys and ${WRITES} from one`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'twinspec-writes-'))
      const service = await startServiceProcess({ args: [...UNLIMITED, '--data', folder] })
      try {
        const keys = await createKeysIn({ folder }, KEYS)
        const place = { address: service.url, nodeUrl: `${service.url}/zgt/try-it-out` }
        report('embedded, many keys', await writesTrial({ ...place, keys, writes: WRITES }))
        const one = keys.slice(0, 1)
        report('embedded, one key', await writesTrial({ ...place, keys: one, writes: WRITES }))
      } finally {
        await service.stop()
        await rm(folder, { recursive: true, force: true })
      }
    },
    sized(60_000, 300_000),
  )

  it.skipIf(postgresUrl === undefined)(
    `PostgreSQL and a node of its own: ${WRITES} from ${KEYS} keys and ${WRITES} from one`,
    async () => {
      const node = await startAnvil()
      const database = await createDatabase(postgresUrl as string)
      const service = await startServiceProcess({
        args: [...UNLIMITED, '--upstream', node.url],
        env: { DATABASE_URL: database.url, TWINSPEC_MNEMONIC: MNEMONIC },
      })
      try {
        const keys = await createKeysIn({ databaseUrl: database.url }, KEYS)
        const place = { address: service.url, nodeUrl: node.url }
        report('PostgreSQL, many keys', await writesTrial({ ...place, keys, writes: WRITES }))
        const one = keys.slice(0, 1)
        report('PostgreSQL, one key', await writesTrial({ ...place, keys: one, writes: WRITES }))
      } finally {
        await service.stop()
        await database.drop()
        await node.stop()
      }
    },
    sized(60_000, 300_000),
  )
})

describe('a transaction that the node refuses for good', () => {
  it('ends in error, and the seven after it are mined', async () => {
    const node = await startAnvil()
    const texts = Array.from({ length: 10 }, (_, index) => `write ${index}`)
    const refusing = await refusingNode(node.url, texts[2] as string)
    const service = await startServiceProcess({ args: [...UNLIMITED, '--upstream', refusing.url] })
    try {
      const [address, keys] = [service.url, ['try-it-out']]
      const answers = await submitMessages(texts, { addresses: [address], keys, concurrency: 1 })
      const taken = accepted(answers)
      expect(taken).toHaveLength(10)
      const queueIds = taken.map(({ queueId }) => queueId)
      const records = await finalRecords(address, queueIds, 60_000)
      expect(records.map(({ status }) => status)).toEqual(
        texts.map((_, index) => (index === 2 ? 'error' : 'completed')),
      )
      expect(records[2]).toMatchObject({ errorMessage: expect.stringContaining('intrinsic gas') })
      const mined = await minedOn(node.url)
      expect(mined.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect([...textsOf(mined).keys()].toSorted()).toEqual(
        ['', ...texts.filter((_, index) => index !== 2)].toSorted(),
      )
      expect(refusing.refused()).toBeGreaterThan(0)
    } finally {
      await service.stop()
      await refusing.stop()
      await node.stop()
    }
  })
})

const report = (name: string, figures: object): void => {
  countRuns(2 * WRITES)
  if (isFull) process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`)
}
