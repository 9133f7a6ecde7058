import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { describe, expect, it } from 'vitest'
import { freshCluster } from '../../../src/service/store/pglite.js'
import { temporaryFolder } from '../../temporary-folder.js'

const root = temporaryFolder('cluster-test')

const answersOf = async (archive: Blob) => {
  const database = await PGlite.create({ loadDataDir: archive })
  const { rows } = await database.query(
    'select count(*)::int as tables from pg_tables where schemaname = $1',
    ['public'],
  )
  await database.close()
  return rows
}

describe('an empty cluster', () => {
  it('is made once for those who start together, and kept for those who come later', async () => {
    const folder = join(root, 'kept', 'deep')
    const both = await Promise.all([freshCluster({ folder }), freshCluster({ folder })])
    const [name, ...others] = readdirSync(folder)
    expect(name).toMatch(/^cluster-\d+\.\d+\.\d+\.tar$/)
    expect(others).toEqual([])
    expect(both[0].archive.size).toBe(both[1].archive.size)
    expect(await answersOf(both[0].archive)).toEqual([{ tables: 0 }])

    const file = join(folder, String(name))
    const { mtimeMs } = statSync(file)
    const { archive, forget } = await freshCluster({ folder })
    expect(archive.size).toBe(statSync(file).size)
    expect(statSync(file).mtimeMs).toBe(mtimeMs)
    await forget()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is made all the same where nothing may be kept', async () => {
    const file = join(root, 'a-file')
    writeFileSync(file, '')
    const { archive } = await freshCluster({ folder: join(file, 'below') })
    expect(await answersOf(archive)).toEqual([{ tables: 0 }])
  })

  it('is no longer made when the start is ended', async () => {
    const folder = join(root, 'ended')
    const ending = new AbortController()
    const making = freshCluster({ folder, signal: ending.signal })
    setTimeout(() => ending.abort(new Error('the start was ended')), 300)
    await expect(making).rejects.toThrow('the start was ended')
    expect(readdirSync(folder)).toEqual([])
  })
})
