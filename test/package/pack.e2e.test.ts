import { mkdtempSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NAME, packed } from '../pack/packed.js'
import { borrowApp, borrowPackages, run } from './installed.js'

const home = mkdtempSync(join(tmpdir(), 'packing-'))
const app = join(home, 'app')

beforeAll(async () => {
  await borrowApp(app)
  // The libraries that the parts lean on, which whoever packs has.
  await borrowPackages(app)
})

afterAll(() => rm(home, { recursive: true, force: true }))

/** A day passes while tests run. */
const withoutDays = (text: string): string => text.replace(/\(\d{4}-\d\d-\d\d\)/g, '(day)')

test('a package is the same, made by the toolkit as it is published or as it is cloned', async () => {
  const { folder } = await packed()
  await run('npx', ['twinspec', 'pack', '--name', NAME, '--out', 'package'], app)
  const names = (at: string) => readdir(at, { recursive: true }).then((all) => all.sort())
  expect(await names(join(app, 'package'))).toEqual(await names(folder))
  const different: string[] = []
  for (const name of await names(folder)) {
    if (!/\.\w+$|LICENSE$/.test(name)) continue
    const [ours, theirs] = await Promise.all(
      [folder, join(app, 'package')].map((at) => readFile(join(at, name), 'utf8')),
    )
    const lines = withoutDays(theirs ?? '').split('\n')
    const at = withoutDays(ours ?? '')
      .split('\n')
      .findIndex((line, index) => line !== lines[index])
    if (withoutDays(ours ?? '') !== lines.join('\n')) {
      different.push(`${name}:${at + 1} ${lines[at]}`)
    }
  }
  expect(different).toEqual([])
})
