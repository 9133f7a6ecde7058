import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { OPENAPI, OPENRPC, ran } from './command.js'

let folder = ''
const at = (name: string) => join(folder, name)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twinspec-terminal-'))
  writeFileSync(at('api.yaml'), OPENAPI)
  writeFileSync(at('rpc.yaml'), OPENRPC)
  writeFileSync(at('before.yaml'), OPENAPI.replace('/now', '/then'))
  writeFileSync(
    at('traffic.ndjson'),
    `${JSON.stringify({
      request: { method: 'GET', url: 'https://clock.example/now', headers: {} },
      response: { status: 200, headers: { 'content-type': 'application/json' }, body: 'noon' },
    })}\n`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The command line on a terminal, and what its line of progress has said. */
const onTerminal = async (args: readonly string[], signal?: AbortSignal) => {
  const words: string[] = []
  let open = 0
  let most = 0
  const startProgress = () => {
    let isOpen = true
    open += 1
    most = Math.max(most, open)
    return {
      show: (text: string) => void words.push(text),
      end: () => {
        if (isOpen) open -= 1
        isOpen = false
      },
    }
  }
  const done = await ran(args, { terminal: true, startProgress, ...(signal && { signal }) })
  return { ...done, words, open, most }
}

describe('progress on a terminal', () => {
  const reading = 'reading the documents …'
  const rows: readonly (readonly [string, () => readonly string[], readonly string[]])[] = [
    ['lint', () => [at('api.yaml')], [reading, 'linting 1 operations …']],
    ['generate', () => [at('api.yaml'), '--out', at('generated')], [reading]],
    [
      'diff',
      () => [at('api.yaml'), '--against', at('before.yaml')],
      ['reading the version before …'],
    ],
    ['docs', () => [at('api.yaml'), '--out', at('site')], [reading]],
    [
      'docs',
      () => [at('api.yaml'), '--out', at('site'), '--against', at('before.yaml')],
      [reading, 'reading the version before …'],
    ],
    [
      'mock',
      () => [at('api.yaml'), '--port', '0'],
      [reading, 'starting the mock of 1 operations …'],
    ],
    [
      'pack',
      () => [at('rpc.yaml'), '--name', 'clock', '--out', at('package')],
      [reading, 'writing …'],
    ],
    ['conform', () => ['http://127.0.0.1:9', at('api.yaml')], [reading, 'planning the cases …']],
    [
      'conform',
      () => [at('api.yaml'), '--traffic', at('traffic.ndjson')],
      [reading, 'checking the recorded traffic …'],
    ],
    ['init', () => [at('api.yaml'), '--dir', at('new')], [reading, 'linting the documents …']],
    [
      'usage',
      () => [at('traffic.ndjson'), '--openapi', at('api.yaml'), '--consumer', 'user-agent'],
      [reading],
    ],
    [
      'compatibility',
      () => [at('api.yaml'), '--version', at('before.yaml')],
      ['making the client of before …'],
    ],
  ]

  it.each(rows)('%s says what it does, in one line that it removes', async (verb, args, want) => {
    const { words, open, most, stderr } = await onTerminal([verb, ...args()], AbortSignal.abort())
    const said = words.map((text) => text.replaceAll(`${folder}/`, ''))
    expect(said, stderr).toEqual(expect.arrayContaining([...want]))
    expect({ open, most }).toEqual({ open: 0, most: 1 })
  })

  it('has a row for every command that reads documents', () => {
    const verbs = Object.keys(COMMANDS).filter((verb) => !['explain', 'completion'].includes(verb))
    expect(verbs.filter((verb) => !rows.some(([one]) => one === verb))).toEqual([])
  })

  it.each([
    'lint',
    'generate',
    'docs',
    'mock',
    'pack',
    'conform',
    'init',
    'usage',
    'compatibility',
  ])('%s names the address of a document that it waits for', async (verb) => {
    const given: Readonly<Record<string, readonly string[]>> = {
      docs: ['--out', at('none')],
      pack: ['--name', 'clock', '--out', at('none')],
      conform: ['--traffic', at('traffic.ndjson')],
      init: ['--dir', at('none')],
      usage: [at('traffic.ndjson')],
      compatibility: ['--version', at('before.yaml')],
    }
    const flag = verb === 'init' ? '--from-openapi' : '--openapi'
    const args = [verb, ...(given[verb] ?? []), flag, 'http://127.0.0.1:9/api.json']
    const { code, words, open, most } = await onTerminal(args)
    expect({ code, words, open, most }).toEqual({
      ...{ code: 2, open: 0, most: 1 },
      words: ['fetching http://127.0.0.1:9/api.json …'],
    })
  })
})

describe('the pages of rules', () => {
  const pagesIn = (text: string) => text.match(/^ {2}\S+rules\.md#.+$/gm) ?? []

  it('stand once below all findings on a terminal', async () => {
    const rules = 'method-has-no-example,operation-has-no-description'
    const { stdout, stderr } = await onTerminal(['lint', at('rpc.yaml'), '--only', rules])
    expect(stdout).toContain('[method-has-no-example]')
    expect(stdout).not.toContain('rules.md')
    expect(pagesIn(stderr).map((line) => line.trim())).toEqual([
      'docs/rules.md#method-has-no-example',
      'docs/rules.md#operation-has-no-description',
    ])
  })

  it('are named by diff, too, and not in other formats and logs', async () => {
    const args = ['diff', at('api.yaml'), '--against', at('before.yaml')]
    expect(pagesIn((await onTerminal(args)).stderr).length).toBeGreaterThan(0)
    expect(pagesIn((await ran(args)).stderr)).toEqual([])
    expect(pagesIn((await onTerminal([...args, '--format', 'json'])).stderr)).toEqual([])
  })
})
