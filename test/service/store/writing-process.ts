import { pino } from 'pino'
import { openStore } from '../../../src/service/store/open-store.js'

// Writes rows into the store of the folder named for as long as it lives, and says of each when it is committed.
const [folder = '', first = '0'] = process.argv.slice(2)
try {
  const store = await openStore({ folder, log: pino({ level: 'silent' }) })
  await store.query('create table if not exists line (id integer primary key, word text)')
  const say = (words: string) =>
    new Promise((resolve) => process.stdout.write(`${words}\n`, resolve))
  await say('open')
  for (let id = Number(first); ; id += 2) {
    await store.transaction(async (query) => {
      await query('insert into line values ($1, $2)', [id, 'one of two'])
      await query('insert into line values ($1, $2)', [id + 1, 'x'.repeat(id % 3_000)])
    })
    await say(`${id + 2}`)
  }
} catch (error) {
  process.stdout.write(`${(error as Error).name}: ${(error as Error).message}\n`)
  process.exitCode = 1
}
