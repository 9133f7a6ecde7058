import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasChromium } from '../docs/chromium.js'
import { packed, ROOT } from '../pack/packed.js'
import { basicVariables } from '../variables.js'
import { locate, RUNTIMES } from './runtimes-table/runtimes.js'
import { differences, readTable, writeTable } from './runtimes-table/table.js'
import { usesOf } from './runtimes-table/uses.js'

/** What is on every machine: the whole command installs 720 MB. */
const HERE = [
  ...RUNTIMES.filter(({ title }) => title === `Node ${process.versions.node.split('.')[0]}`),
  ...RUNTIMES.filter(({ id }) => id === 'no-eval' || (id === 'csp' && hasChromium)),
].map(({ id }) => id)

test('the command finds here what the table of docs/packages.md says', async () => {
  const { code, stdout, stderr } = await command(['--offline', '--check', '--only', HERE.join(',')])
  expect(stderr).not.toMatch(/packages\.md|cannot|not found/)
  expect(code).toBe(0)
  expect(readTable(stdout).size).toBe(HERE.length)
})

test('the table of docs/packages.md has a row for each part of the package, and a column for each runtime', async () => {
  const { folder } = await packed()
  const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const { uses, unused } = usesOf(Object.keys(exports))
  expect(unused).toEqual([])
  const page = await readFile(join(ROOT, 'docs/packages.md'), 'utf8')
  const [, kept = ''] =
    /<!-- compatibility -->([\s\S]*)<!-- end of compatibility -->/.exec(page) ?? []
  const table = readTable(kept)
  expect([...table.keys()]).toEqual(RUNTIMES.map(({ title }) => title))
  for (const column of table.values())
    expect([...column.keys()]).toEqual(uses.map(({ name }) => name))
  const cells = [...table.values()].flatMap((column) => [...column.values()])
  expect(cells.filter((cell) => !/^(✓( \(.+\))?|– \(.+\))$/.test(cell))).toEqual([])
})

test('a part that nobody uses yet is named', () => {
  expect(usesOf(['./http', './new'])).toMatchObject({ unused: ['./new'] })
})

test('what differs from the table that is kept is reported by its reason, not by its number', () => {
  const [one, two] = RUNTIMES
  const [http, rpc] = usesOf(['./http', './rpc']).uses
  if (!one || !two || !http || !rpc) throw new Error('there is too little to compare')
  const works = { kind: 'works' } as const
  const meant = { kind: 'not-meant', why: 'it has no sockets' } as const
  const fails = { kind: 'fails', why: 'RpcError: no' } as const
  const uses = [http, rpc]
  const kept = writeTable({
    uses,
    columns: [
      { runtime: one, cells: [fails, works] },
      { runtime: two, cells: [works, meant] },
    ],
  })
  const again = writeTable({ uses, columns: [{ runtime: two, cells: [works, meant] }] })
  expect(differences(again, kept)).toEqual([])
  const worse = writeTable({ uses, columns: [{ runtime: two, cells: [works, fails] }] })
  expect(differences(worse, kept)).toEqual([
    `\`./rpc\` in ${two.title} is ✗ (${two.title}: RpcError: no), and was – (it has no sockets)`,
  ])
})

test('a runtime that is not there, or does not run, is no column of failures', async () => {
  const [node] = RUNTIMES
  if (!node) throw new Error('there is no runtime')
  const at = (program: string) => ({ ...node, isInstalled: false, programs: () => [program] })
  const located = await locate([at('/nowhere/node'), at('/bin/false'), at(process.execPath)])
  expect(located.map(({ found }) => found)).toEqual([
    { kind: 'absent', why: expect.stringMatching(/^it is not there: /) },
    { kind: 'absent', why: expect.stringMatching(/^it does not run here: .*false/) },
    { kind: 'found', program: process.execPath, version: process.versions.node },
  ])
})

test.each([
  [['--only', 'netscape'], /^There is no runtime netscape\./],
  [['--write', '--only', 'bun'], /^--write takes no --only/],
  [['--write', '--check'], /^Either --write or --check/],
])('%j is refused with a sentence', async (argv, want) => {
  const { code, stderr } = await command(argv)
  expect(code).toBe(2)
  expect(stderr).toMatch(want)
})

const command = (argv: readonly string[]) =>
  new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      const args = ['--import', 'tsx', '-C', 'twinspec-source', MAIN, ...argv]
      const env = { ...basicVariables(), SHELF: process.env.SHELF }
      execFile(
        process.execPath,
        args,
        { cwd: ROOT, env, timeout: 900_000 },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      )
    },
  )

const MAIN = join(ROOT, 'test/handover/runtimes-table/main.ts')
