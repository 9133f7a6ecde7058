import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, createDatabase, startCluster } from './postgres.js'

let cluster: Cluster | undefined

beforeAll(async () => {
  cluster = await startCluster()
})

afterAll(() => cluster?.stop())

test('a database of its own outlives the crash of its server, and goes when it is dropped', async ({
  skip,
}) => {
  if (!cluster) return skip('there is no PostgreSQL here')
  const database = await createDatabase(cluster.url)
  await ask(database.url, 'create table notes (text text)')
  await ask(database.url, `insert into notes values ('kept')`)
  await cluster.crash()
  await expect(ask(database.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  await cluster.again()
  expect(await ask(database.url, 'select text from notes')).toEqual([{ text: 'kept' }])
  await database.drop()
  await expect(ask(database.url, 'select 1')).rejects.toThrow('does not exist')
})

const ask = async (url: string, sql: string): Promise<readonly unknown[]> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
