import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeWhole } from '../../src/cli/io.js'
import { command } from './command.js'

/** A checkout with links to a folder of its user, whose files no command may change. */
let top = ''
let checkout = ''
let home = ''
let server: Server
let origin = ''

beforeAll(async () => {
  server = createServer((_, response) => response.end('type: string\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'twinspec-links-')))
  checkout = join(top, 'checkout')
  home = join(top, 'home')
  mkdirSync(checkout)
  mkdirSync(home)
  writeFileSync(join(home, 'precious'), 'precious\n')
  writeFileSync(join(home, 'lock.json'), '{}')
})
afterEach(() => {
  const files = readdirSync(home).sort()
  rmSync(top, { recursive: true })
  expect(files).toEqual(['lock.json', 'precious'])
})

const ran = async (...words: readonly string[]) => {
  const { said, code } = command(words)
  return { code: await code, ...said }
}

const at = (name: string): string => join(checkout, name)

const put = (name: string, text: string): string => {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
  return at(name)
}

const precious = () => readFileSync(join(home, 'precious'), 'utf8')

const untouched = (): void => {
  expect(precious()).toBe('precious\n')
  expect(readFileSync(join(home, 'lock.json'), 'utf8')).toBe('{}')
}

const document = (reference: string) => `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /a: { get: { responses: { '204': { description: d } } } } }
components: { schemas: { A: { $ref: '${reference}' } } }
`

const WHOLE = document('#/components/schemas/B').replace(' } }', ' }, B: {} }')

const sha256 = createHash('sha256').update('type: string\n').digest('hex')

describe('lint --fetch-references', () => {
  const fetched = (file: string) => {
    const uri = `${origin}/x.yaml`
    put('references/lock.json', JSON.stringify({ [uri]: { file, sha256 } }))
    return ran('lint', put('openapi.yaml', document(uri)), '--fetch-references')
  }

  it.each<[string, () => void, string, string]>([
    ['a folder', () => symlinkSync(home, at('references/x')), 'x/precious', 'references/x'],
    [
      'a relative link',
      () => symlinkSync('../../home', at('references/x')),
      'x/precious',
      'references/x',
    ],
    [
      'a file',
      () => symlinkSync('../../home/precious', at('references/x.yaml')),
      'x.yaml',
      'references/x.yaml',
    ],
    [
      'a file that does not exist',
      () => symlinkSync('../../home/new', at('references/x.yaml')),
      'x.yaml',
      'references/x.yaml',
    ],
    [
      'a link to a link',
      () => {
        symlinkSync(home, at('a'))
        symlinkSync('../a', at('references/x'))
      },
      'x/precious',
      'references/x',
    ],
    [
      'a folder below a folder',
      () => {
        mkdirSync(at('references/deep'))
        symlinkSync(top, at('references/deep/x'))
      },
      'deep/x/home/precious',
      'references/deep/x',
    ],
  ])('does not write through %s', async (_, link, file, named) => {
    mkdirSync(at('references'))
    link()
    const { code, stderr } = await fetched(file)
    expect(code).toBe(2)
    expect(stderr).toContain(`${at(named)} is a symbolic link to `)
    expect(stderr).toContain('remove the link')
    untouched()
  })

  it('does not write the lock file or a first copy through a link', async () => {
    symlinkSync(home, at('references'))
    const path = put('openapi.yaml', document(`${origin}/y.yaml`))
    const { code, stderr } = await ran('lint', path, '--fetch-references')
    expect(code).toBe(2)
    expect(stderr).toContain(`${at('references')} is a symbolic link to ${home}`)
    untouched()
  })

  it('does not write a lock file that is a link', async () => {
    mkdirSync(at('references'))
    symlinkSync('../../home/lock.json', at('references/lock.json'))
    const path = put('openapi.yaml', document(`${origin}/y.yaml`))
    const { code, stderr } = await ran('lint', path, '--fetch-references')
    expect(code).toBe(2)
    expect(stderr).toContain(`${at('references/lock.json')} is a symbolic link to `)
    untouched()
  })

  it('writes through links that stay in the folder, and into a folder that is a link', async () => {
    mkdirSync(at('copies'))
    symlinkSync('copies', at('references'))
    const path = put('openapi.yaml', document(`${origin}/y.yaml`))
    symlinkSync(checkout, join(top, 'named'))
    const { code, stderr } = await ran(
      'lint',
      join(top, 'named/openapi.yaml'),
      '--fetch-references',
    )
    expect(stderr).toContain('fetched ')
    expect(code).not.toBe(2)
    expect(path).toBe(at('openapi.yaml'))
    expect(readdirSync(at('copies'))).toContain('lock.json')
  })

  it.each(['.', './', 'x/..', 'lock.json', '../openapi.yaml', '/etc/passwd', 'x/', ''])(
    'rejects the file %j of a lock entry with a finding',
    async (file) => {
      const { code, stdout, stderr } = await fetched(file)
      expect(code).not.toBe(70)
      expect(stdout + stderr).toContain('reference-lock-is-invalid')
      expect(stdout + stderr).not.toMatch(/bug in twinspec/)
    },
  )
})

describe('a file that is replaced', () => {
  it.each<[string, () => void, string]>([
    ['is a link out', () => symlinkSync('../home/precious', at('out.json')), 'out.json'],
    ['is below a link out', () => symlinkSync('../home', at('sub')), 'sub/precious'],
    ['does not exist where the link leads', () => symlinkSync('../home/new', at('out')), 'out'],
  ])('is not written where it %s', (_, link, name) => {
    link()
    expect(() => writeWhole(at(name), 'new', checkout)).toThrow(/is a symbolic link to .*home/)
    untouched()
  })

  it('may be a link within the folder, or in a folder that is a link', () => {
    put('real.json', 'old')
    symlinkSync('real.json', at('out.json'))
    writeWhole(at('out.json'), 'new', checkout)
    expect(readFileSync(at('real.json'), 'utf8')).toBe('new')
    symlinkSync(checkout, join(top, 'named'))
    writeWhole(join(top, 'named/other.json'), 'new')
    expect(readFileSync(at('other.json'), 'utf8')).toBe('new')
  })

  it('is not written through a link with the name of its unfinished file', () => {
    symlinkSync('../home/precious', at(`.out.json.twinspec-${process.pid}.new`))
    writeWhole(at('out.json'), 'new')
    expect(readFileSync(at('out.json'), 'utf8')).toBe('new')
    untouched()
  })
})

const EXCHANGE = `${JSON.stringify({
  request: { method: 'GET', url: 'http://a.example/a', headers: {} },
  response: { status: 204, headers: {} },
})}\n`

describe.each<[string, (out: string) => Promise<{ code: number; stderr: string }>]>([
  ['conform --html', (out) => ran('conform', origin, at('openapi.yaml'), '--html', out)],
  ['conform --out', (out) => ran('conform', origin, at('openapi.yaml'), '--out', out)],
  [
    'usage --out',
    (out) => ran('usage', put('t.ndjson', EXCHANGE), '--openapi', at('openapi.yaml'), '--out', out),
  ],
  [
    'diff --changelog',
    (out) => ran('diff', at('openapi.yaml'), '--against', at('openapi.yaml'), '--changelog', out),
  ],
])('%s', (_, run) => {
  it('does not write through a link', async () => {
    put('openapi.yaml', WHOLE)
    symlinkSync('../home/precious', at('out'))
    const { code, stderr } = await run(at('out'))
    expect([code, stderr]).toEqual([2, expect.stringContaining('is a symbolic link to ')])
    untouched()
  })
})

it('lint --fix does not change a document behind a link out', async () => {
  const outside = join(top, 'outside')
  mkdirSync(outside)
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /a: { get: { responses: { 200: { description: d } } } } }
`
  writeFileSync(join(outside, 'openapi.yaml'), text)
  symlinkSync('../outside/openapi.yaml', at('openapi.yaml'))
  await ran('lint', at('openapi.yaml'), '--fix')
  expect(readFileSync(join(outside, 'openapi.yaml'), 'utf8')).toBe(text)
})

it('init does not create files behind a link out', async () => {
  put('openapi.yaml', WHOLE)
  symlinkSync('../home', at('.github'))
  const { code, stderr } = await ran('init', at('openapi.yaml'), '--dir', checkout)
  expect([code, stderr]).toEqual([2, expect.stringContaining('is a symbolic link to ')])
  expect(existsSync(at('package.json'))).toBe(false)
  untouched()
})

it.each([['generate'], ['docs'], ['pack', '--name', 'a']])(
  '%s writes a new folder, and nothing behind links in the old one',
  async (...words) => {
    const path = put('openapi.yaml', WHOLE)
    mkdirSync(at('out'))
    for (const name of ['http.types.ts', 'index.html', 'package.json', 'operations'])
      symlinkSync('../../home/precious', join(at('out'), name))
    await ran(...words, path, '--out', at('out'))
    untouched()
  },
)
