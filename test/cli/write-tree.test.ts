import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { writeTree } from '../../src/cli/write-tree.js'
import { jsonFile } from '../../src/emit/file.js'
import { header } from '../../src/emit/header.js'
import { temporaryFolder } from '../temporary-folder.js'

const folder = temporaryFolder('tree')

let parent = ''
let out = ''
beforeEach(() => {
  parent = mkdtempSync(join(folder, 'project-'))
  out = join(parent, 'generated')
})

const code = (name: string, text: string) => ({ name, text: `${header()}\n${text}\n` })
const tree = [code('a.ts', 'one'), code('b.ts', 'two'), jsonFile('rpc.openrpc.json', {})]

const contents = (at: string) =>
  Object.fromEntries(readdirSync(at).map((name) => [name, readFileSync(join(at, name), 'utf8')]))

const wanted = Object.fromEntries(tree.map(({ name, text }) => [name, text]))

describe('a folder', () => {
  it('is made, with those above it', async () => {
    out = join(parent, 'deep/er/generated')
    const changes = await writeTree(out, tree)
    expect(changes.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'a.ts missing',
      'b.ts missing',
      'rpc.openrpc.json missing',
    ])
    expect(contents(out)).toEqual(wanted)
  })

  it('is replaced: what is not written any more is gone, hidden files stay', async () => {
    await writeTree(out, [...tree, code('old.ts', 'x'), jsonFile('http.openapi.json', 1)])
    writeFileSync(join(out, '.gitattributes'), '* linguist-generated\n')
    const changes = await writeTree(out, [code('a.ts', 'other'), ...tree.slice(1)])
    expect(changes).toEqual([
      { name: 'a.ts', kind: 'changed', line: 2 },
      { name: 'http.openapi.json', kind: 'superfluous', line: 1 },
      { name: 'old.ts', kind: 'superfluous', line: 1 },
    ])
    expect(contents(out)).toEqual({
      ...wanted,
      'a.ts': `${header()}\nother\n`,
      '.gitattributes': '* linguist-generated\n',
    })
    expect(readdirSync(parent)).toEqual(['generated'])
  })

  it('holds folders, which go when nothing is written into them any more', async () => {
    const first = [code('a.ts', 'one'), code('room/x/a.ts', 'x'), code('room/y/a.ts', 'y')]
    await writeTree(out, first)
    expect(readFileSync(join(out, 'room/y/a.ts'), 'utf8')).toBe(`${header()}\ny\n`)
    expect(await writeTree(out, first)).toEqual([])
    expect(await writeTree(out, first.slice(0, 2))).toEqual([
      { name: 'room/y/a.ts', kind: 'superfluous', line: 1 },
    ])
    expect(readdirSync(join(out, 'room'))).toEqual(['x'])
    expect(await writeTree(out, first.slice(0, 1))).toEqual([
      { name: 'room/x/a.ts', kind: 'superfluous', line: 1 },
    ])
    expect(readdirSync(out)).toEqual(['a.ts'])
  })

  it('that is as it should be is not touched', async () => {
    await writeTree(out, tree)
    const { ino } = statSync(out)
    expect(await writeTree(out, tree)).toEqual([])
    expect(statSync(out).ino).toBe(ino)
  })

  it('is written where a link to it stands', async () => {
    mkdirSync(join(parent, 'real'))
    symlinkSync('real', out)
    await writeTree(out, tree)
    expect(contents(join(parent, 'real'))).toEqual(wanted)
    expect(readdirSync(parent).sort()).toEqual(['generated', 'real'])
  })
})

describe("other people's files are safe", () => {
  it.each([
    ['code', { 'index.ts': 'export {}\n' }, 'index.ts'],
    ['code beside generated files', { 'a.ts': `${header()}\n`, 'index.ts': '' }, 'index.ts'],
    ['a file that speaks of the mark further down', { 'x.md': `hello\n${header()}\n` }, 'x.md'],
    [
      'JSON of our name where nothing else is ours',
      { 'rpc.openrpc.json': '{}' },
      'rpc.openrpc.json',
    ],
  ])('%s', async (_, files, named) => {
    mkdirSync(out)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text)
    await expect(writeTree(out, tree)).rejects.toThrow(
      `${join(out, named)} was not generated, and ${out} would be replaced: choose another --out, or move the file`,
    )
    expect(contents(out)).toEqual(files)
    expect(readdirSync(parent)).toEqual(['generated'])
  })

  it('a folder inside', async () => {
    mkdirSync(join(out, 'lib'), { recursive: true })
    await expect(writeTree(out, tree)).rejects.toThrow(`${join(out, 'lib')} was not generated`)
  })

  it('a file within a folder of ours, hidden or not', async () => {
    const first = [code('a.ts', 'one'), code('room/x/a.ts', 'x')]
    for (const name of ['mine.ts', '.mine']) {
      await writeTree(out, first)
      writeFileSync(join(out, 'room/x', name), 'export {}\n')
      await expect(writeTree(out, first)).rejects.toThrow(`${join(out, 'room')} was not generated`)
      expect(readFileSync(join(out, 'room/x', name), 'utf8')).toBe('export {}\n')
      rmSync(join(out, 'room/x', name))
    }
  })

  it('the root of the file system, without reading it', async () => {
    await expect(writeTree('/', tree)).rejects.toThrow(
      /^\/[^/]+ was not generated, and \/ would be replaced: choose another --out/,
    )
  })

  it('a file in the place of the folder', async () => {
    writeFileSync(out, 'mine')
    await expect(writeTree(out, tree)).rejects.toThrow(
      `${out} is not a folder: choose another --out`,
    )
    expect(readFileSync(out, 'utf8')).toBe('mine')
  })

  it.each(['/proc/none', '/proc/none/below'])('%s, as nobody makes a folder there', async (one) => {
    await expect(writeTree(one, tree)).rejects.toThrow(`${one} cannot be written: E`)
  })
})

describe('a run that fails or is killed', () => {
  it('leaves the old tree and nothing beside it where a file cannot be written', async () => {
    await writeTree(out, tree)
    await expect(writeTree(out, [code('a.ts', 'x'), code('a.ts/b.ts', 'x')])).rejects.toThrow(
      `${out} cannot be written: E`,
    )
    expect(contents(out)).toEqual(wanted)
    expect(readdirSync(parent)).toEqual(['generated'])
  })

  // No process has this id: it is above what any system gives.
  const dead = 2 ** 22 + 1

  it('between its two renames is undone by the next', async () => {
    const last = join(parent, `.generated.twinspec-${dead}.old`)
    mkdirSync(last)
    for (const { name, text } of tree) writeFileSync(join(last, name), text)
    mkdirSync(join(parent, `.generated.twinspec-${dead}.new`))
    await expect(writeTree(out, [code('a.ts', 'x'), code('a.ts/b.ts', 'x')])).rejects.toThrow(
      'cannot be written',
    )
    expect(contents(out)).toEqual(wanted)
    expect(readdirSync(parent)).toEqual(['generated'])
  })

  it('leaves remains that the next one clears away, but not those of a run that lives', async () => {
    await writeTree(out, tree)
    const remains = join(parent, `.generated.twinspec-${dead}.old`)
    const living = join(parent, `.generated.twinspec-${process.ppid}.new`)
    for (const path of [remains, living]) mkdirSync(path)
    await writeTree(out, tree)
    expect([existsSync(remains), existsSync(living)]).toEqual([false, true])
  })
})
