import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'
import { ran } from './command.js'

const folder = temporaryFolder('docs')

let out = ''
let openrpc = ''
beforeEach(() => {
  const place = mkdtempSync(join(folder, 'project-'))
  out = join(place, 'site')
  openrpc = join(place, 'ping.json')
  writeFileSync(openrpc, document('ping'))
})

const document = (method: string) =>
  JSON.stringify({
    openrpc: '1.3.2',
    info: { title: 'Small', version: '1' },
    methods: [{ name: method, params: [], result: { name: 'pong', schema: { type: 'string' } } }],
  })

describe('twinspec docs', () => {
  it('shows calls of the Python and the Go client that the options name', async () => {
    const packages = ['--python-package', 'acme-pings', '--go-module', 'example.com/acme/pings']
    expect(await ran(['docs', '--openrpc', openrpc, '--out', out, ...packages])).toMatchObject({
      code: 0,
    })
    const page = readFileSync(join(out, 'operations/ping.html'), 'utf8')
    expect(page).toContain('from acme_pings import RpcClient')
    expect(page).toContain('example.com/acme/pings')
  })

  it('writes the site, and replaces it whole', async () => {
    const first = await ran(['docs', '--openrpc', openrpc, '--out', out, '--title', 'Pings'])
    expect(first.code).toBe(0)
    expect(first.stderr).toMatch(
      /^wrote \d+ files in [\d.]+ s: open .*site\/index\.html in a browser\n$/,
    )
    expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('<title>Pings</title>')
    writeFileSync(openrpc, document('pong'))
    writeFileSync(join(out, '.nojekyll'), '')
    expect((await ran(['docs', '--openrpc', openrpc, '--out', out])).code).toBe(0)
    expect(readdirSync(join(out, 'operations'))).toEqual(['pong.html', 'pong.md'])
    expect(existsSync(join(out, '.nojekyll'))).toBe(true)
  })

  it.each([
    ['beside the site', 'notes.txt'],
    ['deep in it', 'operations/notes.txt'],
  ])('leaves a folder alone that holds anything else %s', async (_, name) => {
    await ran(['docs', '--openrpc', openrpc, '--out', out])
    writeFileSync(join(out, name), 'mine')
    writeFileSync(openrpc, document('pong'))
    for (const spelled of [out, `${out}/.`]) {
      const { code, stderr } = await ran(['docs', '--openrpc', openrpc, '--out', spelled])
      expect(code).toBe(2)
      expect(stderr).toContain(`${join(out, name)} was not written by twinspec docs, and `)
    }
    expect(readFileSync(join(out, name), 'utf8')).toBe('mine')
    expect(existsSync(join(out, 'operations/ping.html'))).toBe(true)
  })

  it('says what is missing in a sentence, and writes nothing', async () => {
    const none = await ran(['docs'])
    expect(none).toMatchObject({
      code: 2,
      stderr: 'twinspec docs: --out is required: name the folder of the site, as in --out site\n',
    })
    writeFileSync(openrpc, '{')
    expect((await ran(['docs', '--openrpc', openrpc, '--out', out])).code).toBe(2)
    writeFileSync(out, 'a file')
    const file = await ran(['docs', '--openrpc', openrpc, '--out', out])
    expect(file).toMatchObject({
      code: 2,
      stderr: `twinspec docs: ${out} is not a folder: choose another --out\n`,
    })
    rmSync(out)
    mkdirSync(join(out, 'empty'), { recursive: true })
    expect((await ran(['docs', '--openrpc', openrpc, '--out', out])).stderr).toContain(
      'was not written by twinspec docs',
    )
  })
})
