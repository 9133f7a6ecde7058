import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'
import { OPENAPI, ran } from './command.js'

const home = temporaryFolder('hostile')

afterEach(() => vi.unstubAllEnvs())

it.each([
  ['package/../../escaped.js', 'leads out of the package'],
  ['package/..\\..\\escaped.js', 'leads out of the package'],
  ['/escaped.js', 'leads out of the package'],
  ['C:\\escaped.js', 'leads out of the package'],
  ['package/escaped.js', 'is a link', '2'],
  ['package/escaped.js', 'is a link', '1'],
])(
  'compatibility rejects a package with the entry %s, and writes nothing',
  async (name, why, kind = '0') => {
    const [archive, api, temporary] = ['old.tgz', 'api.yaml', 'tmp'].map((one) => join(home, one))
    if (!archive || !api || !temporary) throw new Error('unreachable')
    writeFileSync(api, OPENAPI)
    mkdirSync(temporary, { recursive: true })
    const manifest = JSON.stringify({
      name: 'clock',
      exports: { './openapi.json': './openapi.json', './client': './client.js' },
    })
    const document = '{"openapi":"3.0.3","info":{"title":"Clock","version":"1"},"paths":{}}'
    const bytes = [
      entry('package/package.json', manifest),
      entry('package/openapi.json', document),
      entry('package/client.js', 'export const createClient = () => ({})'),
      entry(name, kind === '0' ? 'hostile' : '', kind),
      Buffer.alloc(1024),
    ]
    writeFileSync(archive, gzipSync(Buffer.concat(bytes)))
    vi.stubEnv('TMPDIR', temporary)
    const { code, stdout, stderr } = await ran(['compatibility', api, '--version', archive])
    expect({ code, stdout, left: readdirSync(temporary) }).toEqual({
      code: 2,
      stdout: '',
      left: [],
    })
    expect(stderr).toBe(
      `twinspec compatibility: ${archive} cannot be read as a package: its entry ${name} ${why}: get the archive that twinspec pack made, or name the documents of that version\n`,
    )
  },
)

const entry = (name: string, text: string, kind = '0'): Buffer => {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write(Buffer.byteLength(text).toString(8), 124)
  header.write(kind, 156)
  if (kind !== '0') header.write('/etc/passwd', 157)
  header.write('ustar', 257)
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512)
  body.write(text)
  return Buffer.concat([header, body])
}
