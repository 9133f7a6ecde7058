import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../src/service/run-keys.js'
import { startService } from '../../../src/service/serve.js'
import { readSettings } from '../../../src/service/settings.js'
import { assertLinksStayInside } from '../../../src/service/store/links.js'
import { recordUsage } from '../../../src/service/usage/record-usage.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { ran } from '../command.js'

const root = temporaryFolder('links')

/** A folder of the service, beside a folder of its user. */
let folder = ''
let home = ''
beforeEach(() => {
  const top = mkdtempSync(join(root, 'case-'))
  folder = join(top, 'data')
  home = join(top, 'home')
  mkdirSync(folder)
  mkdirSync(home)
})

const at = (name: string) => join(folder, name)

/** The places that the service writes, as links out. */
const OUT: readonly (readonly [string, () => void])[] = [
  ['store', () => symlinkSync('../home', at('store'))],
  ['chain', () => symlinkSync(home, at('chain'))],
  ['lock', () => symlinkSync('../home/new', at('lock'))],
  [
    'chain/state.new',
    () => {
      mkdirSync(at('chain'))
      symlinkSync('../../home/new', at('chain/state.new'))
    },
  ],
  [
    'store/base/1/2',
    () => {
      mkdirSync(at('store/base/1'), { recursive: true })
      writeFileSync(join(home, 'file'), '')
      symlinkSync(join(home, 'file'), at('store/base/1/2'))
    },
  ],
  [
    'one',
    () => {
      symlinkSync('../home', at('two'))
      symlinkSync('two', at('one'))
    },
  ],
  ['a', () => symlinkSync('a', at('a'))],
]

describe.each(OUT)('a link %s that leads out', (name, link) => {
  it('is an error with its name, its target and a remedy', async () => {
    link()
    const error = await assertLinksStayInside(folder, '--data').catch((one) => one)
    expect(error.name).toBe('UsageError')
    expect(error.message).toContain(`${at(name)} is a symbolic link to `)
    expect(error.message).toContain(`must not lead out of ${folder}: remove the link, or name `)
  })
})

it('links that stay inside are allowed, and the folder may be a link or missing', async () => {
  mkdirSync(at('real'))
  symlinkSync('real', at('store'))
  writeFileSync(at('real/file'), '')
  symlinkSync('../store/file', at('real/other'))
  symlinkSync(folder, join(home, 'named'))
  await assertLinksStayInside(folder, '--data')
  await assertLinksStayInside(join(home, 'named'), '--data')
  await assertLinksStayInside(at('none'), '--data')
})

describe('nothing is written', () => {
  const log = pino({ level: 'silent' })
  const message = expect.stringContaining(' is a symbolic link to ')

  it.each(OUT)('by a service whose --data has a link %s', async (_, link) => {
    link()
    const before = [readdirSync(folder), readdirSync(home)]
    const failed = startService(readSettings({ port: '0', data: folder }, {}), { log })
    await expect(failed).rejects.toMatchObject({ name: 'UsageError', message })
    expect([readdirSync(folder), readdirSync(home)]).toEqual(before)
  })

  it('by the command for keys', async () => {
    symlinkSync('../home', at('store'))
    const { code, stderr } = await ran(keys, ['create', '--new', '--data', folder])
    expect([code, stderr]).toEqual([2, message])
    expect(readdirSync(home)).toEqual([])
  })

  it.each(['.usage-secret', 'usage-20260101T000000-1-1-00000000.ndjson.gz', 'x'])(
    'by the recorder of usage with a link %s',
    async (name) => {
      symlinkSync('../home/new', at(name))
      const failed = recordUsage(folder, { log, onRecords: () => undefined })
      await expect(failed).rejects.toMatchObject({ name: 'UsageError', message })
      expect([readdirSync(folder), readdirSync(home)]).toEqual([[name], []])
    },
  )
})
