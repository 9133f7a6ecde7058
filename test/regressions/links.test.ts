import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from './command-line.js'

const document = (ref: string, components = '') =>
  `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: a
      responses:
        '200':
          description: d
          content:
            application/json:
              schema:
                $ref: '${ref}'
${components}`

const lint = async (path: string): Promise<string> => {
  const { code, stdout, stderr } = await twinspec('lint', '--openapi', path)
  expect(code).not.toBe(0)
  return stdout + stderr
}

it('a document that is a symbolic link: the message names the document beside which the file is', async () => {
  const folder = await folderOf({
    'real/api.yaml': document('./schemas/a.yaml'),
    'real/schemas/a.yaml': 'type: object\n',
    'other/empty.txt': '',
  })
  const link = join(folder, 'other/api.yaml')
  symlinkSync(join(folder, 'real/api.yaml'), link)
  const text = await lint(link)
  expect(text).toContain(`${link} is a symbolic link`)
  expect(text).toContain(`name that document: ${join(folder, 'real/api.yaml')}`)
  const { code } = await twinspec('lint', '--openapi', join(folder, 'real/api.yaml'))
  expect(code).toBe(0)
})

it('a reference to a symbolic link that leads outside: the folder to allow is the one that the link leads to', async () => {
  const folder = await folderOf({
    'real/a.yaml': 'type: object\n',
    'spec/api.yaml': document('./a.yaml'),
  })
  symlinkSync(join(folder, 'real/a.yaml'), join(folder, 'spec/a.yaml'))
  const text = await lint(join(folder, 'spec/api.yaml'))
  expect(text).toContain(`by a symbolic link to ${join(folder, 'real/a.yaml')}`)
  const [, allowed = ''] = /--allow-outside (\S+)/.exec(text) ?? []
  expect(allowed).toBe(join(folder, 'real'))
  const args = ['--openapi', join(folder, 'spec/api.yaml'), '--allow-outside', allowed]
  expect((await twinspec('lint', ...args)).code).toBe(0)
})

it.each([
  ['nowhere', 'link', 'link'],
  ['nowhere', 'link/out', 'link'],
  ['link', 'link', 'link'],
  ['link', 'link/out', 'link'],
])(
  'an --out by a symbolic link to %s, as %s: the message names the link and what to do',
  async (target, out, name) => {
    const folder = await folderOf({ 'api.yaml': document('#/components/schemas/A', SCHEMAS) })
    symlinkSync(target, join(folder, name))
    const args = ['generate', '--openapi', join(folder, 'api.yaml'), '--out', join(folder, out)]
    const { code, stderr } = await twinspec(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(`${join(folder, name)} is a symbolic link to ${target}`)
    expect(stderr).toContain('remove the link, create the folder it names, or choose another --out')
  },
)

const SCHEMAS = 'components: { schemas: { A: { type: object } } }\n'

it.each(['schemas', 'responses'])(
  'one reference in the place of all %s: the message says what to write',
  async (section) => {
    const folder = await folderOf({
      'api.yaml': document(
        '#/components/schemas/A',
        `components:\n  ${section}:\n    $ref: './all.yaml'\n`,
      ),
      'all.yaml': 'A: { type: object }\n',
    })
    const path = join(folder, 'api.yaml')
    for (const command of ['lint', 'generate', 'mock']) {
      const out = command === 'generate' ? ['--out', join(folder, 'out')] : []
      const { code, stdout, stderr } = await twinspec(command, '--openapi', path, ...out)
      expect(code).toBe(command === 'lint' ? 1 : 2)
      const text = stdout + stderr
      expect(text).toContain(`${path}:16:11`)
      expect(text).toContain(`components.${section} is a reference to ./all.yaml`)
      expect(text).toContain(`NAME: { $ref: './all.yaml#/NAME' }`)
      expect(text.match(/:\d+:\d+ error /g)).toHaveLength(1)
    }
  },
)
