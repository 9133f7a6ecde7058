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
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OPENAPI, ran } from './command.js'

/** A checkout whose configuration, default folders and references lead to a folder of its user, where no command may write. */
let top = ''
let checkout = ''
let home = ''
const before = process.cwd()

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'twinspec-project-')))
  checkout = join(top, 'checkout')
  home = join(top, 'home')
  mkdirSync(join(checkout, '.git'), { recursive: true })
  mkdirSync(home)
  process.chdir(checkout)
})
afterEach(() => {
  process.chdir(before)
  rmSync(top, { recursive: true })
})

const put = (name: string, text: string, folder = checkout): string => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** With the configuration of the working directory. */
const run = (...words: readonly string[]) => ran(words, { env: { TWINSPEC_CONFIG: '' } })

/** A status that is no string, which `lint --fix` corrects. */
const FIXABLE = OPENAPI.replace("'200'", '200')

describe('generate.out of a configuration', () => {
  const generate = (out: string, ...words: readonly string[]) => {
    put('spec/openapi.yaml', OPENAPI)
    put('twinspec.config.yaml', `generate: { out: ${out}, only: [types] }\n`)
    return run('generate', ...words)
  }

  it.each<[string, () => string, RegExp]>([
    [
      'an empty folder behind a link',
      () => {
        symlinkSync('../home', 'src')
        return 'src'
      },
      /^twinspec generate: src is not written: \S+\/checkout\/src is a symbolic link to \S+\/home, which is outside of the project \S+\/checkout; remove the link, or give --out on the command line\n$/,
    ],
    [
      'a new folder below a link',
      () => {
        symlinkSync('../home', 'src')
        return 'src/generated'
      },
      /checkout\/src is a symbolic link to /,
    ],
    [
      'a link to a folder that does not exist',
      () => {
        symlinkSync('../home/new', 'src')
        return 'src'
      },
      /checkout\/src is a symbolic link to \S+\/home\/new,/,
    ],
    [
      'a link to a link',
      () => {
        symlinkSync('../home', 'one')
        symlinkSync('one', 'two')
        return 'two/x'
      },
      /checkout\/two is a symbolic link to \S+\/home,/,
    ],
    [
      'a relative path',
      () => '../home/x',
      /^twinspec generate: \.\.\/home\/x is not written: generate\.out of twinspec\.config\.yaml leads to \S+\/home\/x, which is outside of the project \S+\/checkout; name a place in the project, or give --out on the command line\n$/,
    ],
    [
      'an absolute path',
      () => join(home, 'x'),
      /generate\.out of twinspec\.config\.yaml leads to /,
    ],
    [
      'a path through a link and back',
      () => {
        symlinkSync('../home', 'src')
        return 'src/../../home/x'
      },
      /outside of the project/,
    ],
  ])('does not lead out: %s', async (_, prepare, message) => {
    const out = prepare()
    const { code, stderr } = await generate(out)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    expect(readdirSync(home)).toEqual([])
  })

  it('does not lead out where nothing is written either', async () => {
    const { code, stderr } = await generate('../home/x', '--check')
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^twinspec generate: \.\.\/home\/x is not compared: generate\.out of /),
    ])
  })

  it('does not lead out where files of an earlier run are', async () => {
    symlinkSync('../home', 'src')
    expect((await generate('src', '--out', 'src')).code).toBe(0)
    const names = readdirSync(home)
    put('spec/openapi.yaml', OPENAPI.replace('getNow', 'getTime'))
    expect((await run('generate')).code).toBe(2)
    expect(readdirSync(home)).toEqual(names)
  })

  it.each<[string, () => [string, ...string[]], string]>([
    ['that --out names', () => ['../x', '--out', '../home/x'], '../home/x'],
    ['within the project', () => ['api/src'], 'api/src'],
    [
      'behind a link that stays in the project',
      () => {
        mkdirSync('real')
        symlinkSync('real', 'src')
        return ['src/x']
      },
      'real/x',
    ],
  ])('is a folder %s', async (_, prepare, written) => {
    const [out, ...words] = prepare()
    const { code, stderr } = await generate(out, ...words)
    expect([code, stderr]).toEqual([0, expect.stringContaining('generated 1 file')])
    expect(readdirSync(written)).toEqual(['http.types.ts'])
  })

  it('may be beside the folder of the configuration, in the same repository', async () => {
    mkdirSync('api')
    process.chdir('api')
    put('api/spec/openapi.yaml', OPENAPI)
    put('api/twinspec.config.yaml', 'generate: { out: ../web/api, only: [types] }\n')
    expect((await run('generate')).code).toBe(0)
    expect(readdirSync('../web/api')).toEqual(['http.types.ts'])
  })

  it('stays in the nearest package without a repository', async () => {
    rmSync('.git', { recursive: true })
    put('package.json', '{}')
    expect((await generate('../home/x')).code).toBe(2)
    expect((await generate('lib')).code).toBe(0)
    rmSync('package.json')
    expect((await generate('../home/x')).code).toBe(2)
    expect((await generate('lib')).code).toBe(0)
  })
})

it('the default folder of generate does not lead out', async () => {
  put('spec/openapi.yaml', OPENAPI)
  symlinkSync('../home', 'generated')
  const { code, stderr } = await run('generate', '--only', 'types')
  expect([code, stderr]).toEqual([2, expect.stringMatching(/generated is a symbolic link to /)])
  expect(readdirSync(home)).toEqual([])
  expect((await run('generate', '--only', 'types', '--out', 'generated')).code).toBe(0)
})

describe('other files that a configuration names', () => {
  it.each([
    ['diff', 'changelog', ['--against', 'spec']],
    ['compatibility', 'matrix', ['--version', 'spec/openapi.yaml']],
  ] as const)('%s.%s', async (verb, key, words) => {
    put('spec/openapi.yaml', OPENAPI)
    symlinkSync('../home', 'link')
    for (const path of ['../home/x', 'link/x', 'link/../../home/x', join(home, 'x'), 'x/../../x']) {
      put('twinspec.config.yaml', `${verb}: { ${key}: ${path} }\n`)
      const { code, stderr } = await run(verb, ...words)
      expect([code, stderr]).toEqual([2, expect.stringMatching(/outside of the project/)])
    }
    expect(readdirSync(home)).toEqual([])
    expect(readdirSync(top).sort()).toEqual(['checkout', 'home'])
    put('twinspec.config.yaml', `${verb}: { ${key}: x }\n`)
    await run(verb, ...words)
    expect(existsSync('x')).toBe(true)
  })

  it.each<[string, () => string]>([
    ['a relative path', () => 'documents: { openapi: ../home/openapi.yaml }'],
    ['an absolute path', () => `documents: { openapi: ${join(home, 'openapi.yaml')} }`],
    [
      'a folder that is a link',
      () => {
        symlinkSync('../home', 'api')
        return 'documents: { openapi: api/openapi.yaml }'
      },
    ],
    [
      'a link to the document',
      () => {
        symlinkSync('../home/openapi.yaml', 'openapi.yaml')
        return 'documents: { openapi: openapi.yaml }'
      },
    ],
    [
      'the default folder',
      () => {
        symlinkSync('../home', 'spec')
        return '{}'
      },
    ],
  ])('lint --fix changes no document outside: %s', async (_, config) => {
    const path = put('openapi.yaml', FIXABLE, home)
    put('twinspec.config.yaml', config())
    expect((await run('lint')).stderr).not.toContain('outside of')
    const { code, stderr } = await run('lint', '--fix')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/ is not written: .* outside of /)])
    expect(readFileSync(path, 'utf8')).toBe(FIXABLE)
    await run('lint', '--fix', path)
    expect(readFileSync(path, 'utf8')).not.toBe(FIXABLE)
  })

  it('references are not fetched beside a document outside', async () => {
    const remote = FIXABLE.replace('{ type: string }', "{ $ref: 'http://127.0.0.1:9/x.yaml' }")
    put('openapi.yaml', remote, home)
    symlinkSync('../home', 'spec')
    for (const documents of ['openapi: spec/openapi.yaml, ', '']) {
      put('twinspec.config.yaml', `documents: { ${documents}fetch-references: true }`)
      const { code, stderr } = await run('lint')
      expect([code, stderr]).toEqual([2, expect.stringMatching(/spec is a symbolic link to /)])
    }
    expect(readdirSync(home)).toEqual(['openapi.yaml'])
  })
})

describe('lint --fix of a file that references lead to', () => {
  const SHARED = `paths:
  now:
    get:
      operationId: getNow
      responses:
        200: { description: The time }
`
  const main = (reference: string) =>
    `openapi: 3.0.3\ninfo: { title: Clock, version: '1' }\npaths: { /now: { $ref: '${reference}' } }\n`

  it.each<[string, string, readonly string[]]>([
    ['beside the folder of the document', '../shared/x.yaml', ['--allow-outside', '..']],
    ['in a folder of --allow-outside', '../shared/x.yaml', ['--allow-outside', '../shared']],
    ['in the home folder', '../../home/x.yaml', ['--allow-outside', '../../home']],
    ['above', '../x.yaml', ['--allow-outside', '..']],
    ['in a folder with the same beginning', '../api-shared/x.yaml', ['--allow-outside', '..']],
  ])('changes nothing %s', async (_, reference, words) => {
    const path = put(reference, SHARED, join(checkout, 'api'))
    const document = put('api/openapi.yaml', main(`${reference}#/paths/now`))
    process.chdir('api')
    const { stderr } = await run('lint', document, '--fix', ...words)
    expect(stderr).toMatch(/x\.yaml was not changed: it is outside of \S+\/api, /)
    expect(readFileSync(path, 'utf8')).toBe(SHARED)
  })

  it('changes files below a folder that is named', async () => {
    const path = put('api/deep/x.yaml', SHARED)
    const document = put('api/openapi.yaml', main('deep/x.yaml#/paths/now'))
    await run('lint', document, '--fix')
    expect(readFileSync(path, 'utf8')).not.toBe(SHARED)
  })
})
