import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'

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

describe('a reference in the place of a whole map', () => {
  const MAPS = {
    'components.schemas': {
      'api.yaml': document(
        '#/components/schemas/A',
        "components:\n  schemas:\n    $ref: './all.yaml'\n",
      ),
      'all.yaml': 'A: { type: object, properties: { b: { $ref: "#/B" } } }\nB: { type: boolean }\n',
    },
    properties: {
      'api.yaml': document(
        '#/components/schemas/A',
        "components:\n  schemas:\n    A:\n      type: object\n      properties:\n        $ref: './all.yaml'\n",
      ),
      'all.yaml': 'b: { type: boolean }\n',
    },
  }

  it.each(Object.entries(MAPS))('%s: its members are read, with a warning', async (_, files) => {
    const folder = await folderOf(files)
    const path = join(folder, 'api.yaml')
    const linted = await twinspec('lint', '--openapi', path)
    expect(linted).toMatchObject({ code: 0 })
    expect(linted.stdout).toMatch(/api\.yaml:\d+:\d+ warning a whole map is a reference to \.\/all/)
    const out = join(folder, 'out')
    expect(await twinspec('generate', '--openapi', path, '--out', out)).toMatchObject({ code: 0 })
    expect(readFileSync(join(out, 'http.types.ts'), 'utf8')).toMatch(/b\?: (boolean|.*B)/)
  })
})

it('a path from the root of the repository is found below the folder that is allowed', async () => {
  const folder = await folderOf({
    'repository/api/api.yaml': document('./shared/types.yaml#/A', ''),
    'repository/shared/types.yaml': 'A: { type: object, properties: { b: { type: boolean } } }\n',
  })
  const args = ['generate', '--openapi', join(folder, 'repository/api/api.yaml')]
  const out = join(folder, 'out')
  const missing = await twinspec(...args, '--out', out)
  expect(missing.stderr).toContain('points at a file that does not exist')
  expect(readFileSync(join(out, 'http.types.ts'), 'utf8')).not.toContain('b?: boolean')
  const allowed = ['--allow-outside', join(folder, 'repository')]
  expect(await twinspec(...args, ...allowed, '--out', out)).toMatchObject({ code: 0 })
  expect(readFileSync(join(out, 'http.types.ts'), 'utf8')).toContain('b?: boolean')
})

it('an error object with a description is a warning', async () => {
  const folder = await folderOf({
    'api.json': JSON.stringify({
      openrpc: '1.3.2',
      info: { title: 'T', version: '1' },
      methods: [
        {
          name: 'a',
          params: [],
          result: { name: 'r', schema: { type: 'string' } },
          errors: [
            { code: 120, message: 'PRIVACY_LEAK', description: 'the request shows a secret' },
          ],
        },
      ],
    }),
  })
  const { code, stdout } = await twinspec('lint', '--openrpc', join(folder, 'api.json'))
  expect(code).toBe(0)
  expect(stdout).toMatch(/warning description is not a field of errors\[0\] and is ignored/)
})
