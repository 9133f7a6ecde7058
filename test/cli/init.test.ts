import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OPENAPI, OPENRPC, ran } from './command.js'

let home = ''
let dir = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'init-'))
  dir = join(home, 'tide-table')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const put = (name: string, text: string): string => {
  writeFileSync(join(home, name), text)
  return join(home, name)
}

/** Every file below the folder, with what stands in it. */
const tree = (folder = dir): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )

const NEW = [
  '.gitattributes',
  '.github/workflows/contract.yml',
  '.gitignore',
  'README.md',
  'package.json',
]

const ROOT = process.cwd()
const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8'))
/** Of a clone, as long as the package is in no registry. */
const INSTALL = [
  `  npm run build --prefix "${ROOT}"`,
  `  mkdir -p vendor && npm pack "${ROOT}" --pack-destination vendor`,
  `  npm install ./vendor/twinspec-${VERSION}.tgz`,
]

describe('in an empty folder', () => {
  it('the next steps quote a folder with a space', async () => {
    const { stdout } = await ran(['init', '--dir', join(home, 'tide table')])
    expect(stdout).toContain(`next:\n  cd '${home}/tide table'\n`)
  })

  it('a project begins, which lint finds nothing wrong with', async () => {
    const { code, stdout, stderr } = await ran(['init', '--dir', dir])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(Object.keys(tree())).toEqual([
      ...NEW,
      'spec/openapi.yaml',
      'spec/openrpc.yaml',
      'spec/schemas.yaml',
      'src/server.ts',
      'tsconfig.json',
      'twinspec.config.yaml',
    ])
    expect(stdout.split('\n').slice(-8)).toEqual([
      'next:',
      `  cd ${dir}`,
      ...INSTALL,
      '  npm start',
      '  npm run mock',
      '',
    ])
    const documents = ['openapi', 'openrpc'].flatMap((one) => [
      `--${one}`,
      join(dir, `spec/${one}.yaml`),
    ])
    expect(await ran(['lint', ...documents, '--fail-on', 'warning'])).toMatchObject({ code: 0 })
  })

  it('its README sends calls to the server, or to the mock where that listens', async () => {
    await ran(['init', '--dir', dir])
    const { 'README.md': readme = '', 'src/server.ts': server = '' } = tree()
    const served = /PORT = '(\d+)'/.exec(server)?.[1]
    const mocked = /--port=<number> +.*\(Default: (\d+)\)/.exec(
      (await ran(['mock', '--help'])).stdout,
    )?.[1]
    expect([served, mocked]).toEqual(['8080', '4010'])
    expect(readme).toContain(`the mock listens on port ${mocked} instead of ${served}:\n`)
    expect(readme).toContain(`server: 'http://127.0.0.1:${served}'`)
  })

  it.each([
    ['Tide table', 'tide-table', 'title: Tide table'],
    ['@acme/tides', '@acme/tides', 'title: "@acme/tides"'],
    ['yes: a "name"', 'yes-a-name', `title: 'yes: a "name"'`],
    ['Ébb & flów', 'ebb-flow', 'title: Ébb & flów'],
    ['潮', 'service', 'title: 潮'],
    ['-', 'service', 'title: "-"'],
    ['null', 'null', 'title: "null"'],
  ])('it is called %s', async (name, slug, title) => {
    const { code } = await ran(['init', '--dir', dir, `--name=${name}`])
    expect(code).toBe(0)
    const files = tree()
    expect(JSON.parse(files['package.json'] ?? '')).toMatchObject({ name: slug })
    expect(files['spec/openapi.yaml']).toContain(`\n  ${title}\n`)
    expect(files['spec/openrpc.yaml']).toContain(`\n  ${title}\n`)
    const api = await ran(['lint', '--openapi', join(dir, 'spec/openapi.yaml')])
    expect(api.code).toBe(0)
  })

  it.each([
    ['a\nb', '--name must be 1 to 200 characters on one line'],
    ['x'.repeat(201), '--name must be 1 to 200 characters on one line'],
    [' ', '--name must be 1 to 200 characters on one line'],
  ])('but not %j', async (name, sentence) => {
    const said = await ran(['init', '--dir', dir, '--name', name])
    expect(said).toEqual({ code: 2, stdout: '', stderr: `twinspec init: ${sentence}\n` })
    expect(existsSync(dir)).toBe(false)
  })
})

describe('nothing is overwritten', () => {
  it.each([['spec/openapi.yaml'], ['spec/openrpc.json'], ['spec/schemas.yaml']])(
    '%s stops it, and nothing is written',
    async (path) => {
      mkdirSync(join(dir, 'spec'), { recursive: true })
      writeFileSync(join(dir, path), 'ours')
      const { code, stdout, stderr } = await ran(['init', '--dir', dir])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(
        `twinspec init: ${join(dir, path)} already exists, and init overwrites nothing: continue with twinspec lint and twinspec generate, move the files, or choose another --dir\n`,
      )
      expect(tree()).toEqual({ [path]: 'ours' })
    },
  )

  it('a package stays as it is, and the command reports what it lacks', async () => {
    mkdirSync(dir)
    const manifest = JSON.stringify({
      scripts: { lint: 'eslint .' },
      devDependencies: { twinspec: '1' },
    })
    writeFileSync(join(dir, 'package.json'), manifest)
    writeFileSync(join(dir, '.gitattributes'), '*.png binary\n')
    writeFileSync(
      join(dir, 'tsconfig.json'),
      '{ "compilerOptions": { "resolveJsonModule": true } }',
    )
    const { code, stdout } = await ran(['init', '--dir', dir])
    expect(code).toBe(0)
    const files = tree()
    expect(Object.keys(files)).toEqual([
      '.gitattributes',
      'package.json',
      'spec/openapi.yaml',
      'spec/openrpc.yaml',
      'spec/schemas.yaml',
      'tsconfig.json',
      'twinspec.config.yaml',
    ])
    expect([files['package.json'], files['.gitattributes']]).toEqual([manifest, '*.png binary\n'])
    const kept = stdout.split('\n').filter((line) => /^(kept| {8})/.test(line))
    expect(kept).toEqual([
      `kept  ${join(dir, '.gitattributes')}; add to it:`,
      '        generated/** linguist-generated=true',
      `kept  ${join(dir, 'tsconfig.json')}`,
      `kept  ${join(dir, 'package.json')}; add to it:`,
      '        "type": "module", so .js files are ES modules: rename files that call require to .cjs',
      '        "scripts": {',
      '          "generate": "twinspec generate",',
      '          "mock": "twinspec mock",',
      '          "test": "twinspec lint && twinspec generate --check && tsc --noEmit",',
      '          "conform": "twinspec conform http://127.0.0.1:8080 --rate 0"',
      '        }',
      '        "devDependencies": {',
      expect.stringMatching(/"@types\/node"/),
      expect.stringMatching(/"typescript"/),
      '        }',
    ])
  })

  it('a file where a folder is needed leaves nothing behind', async () => {
    mkdirSync(dir)
    writeFileSync(join(dir, 'src'), 'ours')
    const { code, stderr } = await ran(['init', '--dir', dir])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^twinspec init: nothing was written: E(EXIST|NOTDIR).*\n$/)
    expect(tree()).toEqual({ src: 'ours' })
    expect(readdirSync(dir)).toEqual(['src'])
  })

  it('nor is what a link leads to', async () => {
    mkdirSync(dir)
    const elsewhere = join(home, 'elsewhere.md')
    symlinkSync(elsewhere, join(dir, 'README.md'))
    const { code, stdout } = await ran(['init', '--dir', dir])
    expect(code).toBe(0)
    expect(existsSync(elsewhere)).toBe(false)
    expect(stdout).toContain(`kept  ${join(dir, 'README.md')}\n`)
  })

  it.each([[], ['below'], ['far', 'below']])(
    'a file is no folder to begin in, nor %s%s',
    async (...below) => {
      const file = put('a-file', '')
      expect(await ran(['init', '--dir', join(file, ...below)])).toEqual({
        code: 2,
        stdout: '',
        stderr: `twinspec init: ${file} is not a folder: choose another --dir\n`,
      })
    },
  )

  it('leaves no folder behind where a deeper one cannot be made', async () => {
    const outer = join(home, 'outer')
    const { code } = await ran(['init', '--dir', join(outer, 'x'.repeat(300))])
    expect(code).toBe(2)
    expect(existsSync(outer)).toBe(false)
  })
})

describe('from what a team has', () => {
  it('one protocol, of which no other is made up, and what lint says of it', async () => {
    const { code, stdout } = await ran([
      'init',
      ...['--dir', dir, '--from-openapi', put('api.yml', OPENAPI)],
    ])
    expect(code).toBe(0)
    expect(tree()['spec/openapi.yml']).toBe(OPENAPI)
    expect(Object.keys(tree())).toEqual([
      ...NEW,
      'spec/openapi.yml',
      'src/server.ts',
      'tsconfig.json',
      'twinspec.config.yaml',
    ])
    const linted = await ran(['lint', '--openapi', join(dir, 'spec/openapi.yml')])
    const [warnings = 'none'] = /\d+ warnings?/.exec(linted.stderr) ?? []
    expect(warnings).toMatch(/^[1-9]/)
    expect(stdout).toContain(
      [
        'no OpenRPC document was written: if the service speaks JSON-RPC too, add spec/openrpc.yaml',
        `0 errors, ${warnings}: twinspec lint shows them`,
        'next:',
        `  cd ${dir}`,
        ...INSTALL,
        '  npx twinspec lint',
        '  npm start',
        '  npm run mock',
        '',
      ].join('\n'),
    )
  })

  it('names the files of examples, which are not copied', async () => {
    const named =
      'examples: { high: { externalValue: high.png }, far: { externalValue: https://a.example/far.png } }'
    const from = put('ours.yaml', OPENAPI.replace('example: noon', named))
    const picture = put('high.png', '')
    const { code, stdout } = await ran(['init', '--dir', dir, from])
    expect(code).toBe(0)
    expect(stdout.split('\n').filter((line) => line.includes('externalValue'))).toEqual([
      `an externalValue names ${picture}: copy it to ${join(dir, 'spec/high.png')}`,
    ])
  })

  it('the second protocol later, and a document that stands in its place already', async () => {
    await ran(['init', '--dir', dir, '--from-openapi', put('api.yaml', OPENAPI)])
    const { code, stdout } = await ran([
      'init',
      ...['--dir', dir, '--from-openapi', join(dir, 'spec/openapi.yaml')],
      ...['--from-openrpc', put('methods.yaml', OPENRPC)],
    ])
    expect(code).toBe(0)
    expect(stdout).toContain(`wrote ${join(dir, 'spec/openrpc.yaml')}\n`)
    expect(stdout).toContain(`kept  ${join(dir, 'spec/openapi.yaml')}\n`)
    expect(stdout).not.toContain('was written: if')
    expect(tree()['spec/openapi.yaml']).toBe(OPENAPI)
  })

  it.each([
    [
      'parts by file URL',
      `${OPENAPI}components: { schemas: { A: { $ref: 'file:///b.yaml' } } }\n`,
      /is a URL of a file: write its path/,
    ],
    [
      'a file too few',
      `${OPENAPI}components: { schemas: { A: { $ref: 'b.yaml' } } }\n`,
      /points at a file that does not exist/,
    ],
  ])('%s: the error is printed, and the document is copied as it is', async (_, text, sentence) => {
    const { code, stderr } = await ran(['init', '--dir', dir, put('ours.yaml', text)])
    expect(code).toBe(0)
    expect(stderr).toMatch(sentence)
    expect(tree()['spec/openapi.yaml']).toBe(text)
  })

  it.each([
    ['Swagger 1.2', 'swagger: "1.2"\n', /convert it to OpenAPI 3 first/],
    ['OpenAPI 4', 'openapi: 4.0.0\n', /3\.0 to 3\.2 are supported: convert it to one of these/],
    [
      'a broken file',
      '{ "openapi": ',
      /^nothing was written: correct it in its place, and run init/m,
    ],
    ['an OpenRPC document', OPENRPC, /^nothing was written: give it as --from-openrpc$/m],
  ])('%s is refused with what to do', async (_, text, sentence) => {
    const { code, stdout, stderr } = await ran([
      'init',
      ...['--dir', dir, '--from-openapi', put('api.yaml', text)],
    ])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr).toMatch(/^nothing was written/m)
    expect(existsSync(dir)).toBe(false)
  })

  it('no file at all is said in a sentence', async () => {
    const { code, stderr } = await ran(['init', '--dir', dir, '--from-openrpc', 'none.json'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/there is no file none\.json.*\nnothing was written\n$/s)
  })
})
