import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'

const HEAD = `# The shelves of a library.
openapi: 3.1.0
info: { title: Shelves, version: '1' } # of two words
servers: [{ url: 'http://api.example' }]
paths:
`

const RESPONSES = `      responses:
        '4XX': { description: It is wrong. }
        '200':
          description: A shelf.
`

/** The text after `lint --fix`, and what was printed. */
const fixed = async (name: string, text: string, ...flags: readonly string[]) => {
  const folder = await folderOf({ [name]: text })
  const path = join(folder, name)
  const { stdout, stderr } = await twinspec('lint', '--fix', ...flags, path)
  return { text: readFileSync(path, 'utf8'), stdout, stderr }
}

const PATHS = `  /shelves/{id}/{row}/{place}:
    parameters:
      # The shelf.
      - name: id
        in: path # where it is
        schema: { type: string }
      - { in: path, name: row, schema: { type: string } }
      - in: path
        name: place
        required: false # until version 2
        schema: { type: string }
    get:
      operationId: getShelf
      x-sunset: '2999-01-31'
${RESPONSES}`

it('lint --fix mends what has one right fix, and nothing else of the text changes', async () => {
  const { text, stdout } = await fixed('api.yaml', HEAD + PATHS)
  expect(text).toBe(
    (HEAD + PATHS)
      .replace(
        'in: path # where it is\n        schema: { type: string }',
        '$&\n        required: true',
      )
      .replace('row, schema: { type: string }', '$&, required: true')
      .replace('required: false #', 'required: true #')
      .replace('description: A shelf.', '$&\n      deprecated: true'),
  )
  expect(stdout).toMatch(/^fixed .*api\.yaml:9 required: true \[path-parameter-is-not-required\]$/m)
  expect(stdout).toMatch(/^fixed .* deprecated: true \[sunset-has-no-deprecation\]$/m)
  expect(stdout).not.toContain('is taken as required')
})

it('lint --fix keeps the layout of JSON', async () => {
  const parameter = { name: 'id', in: 'path', schema: { type: 'string' } }
  const operation = {
    operationId: 'getShelf',
    parameters: [parameter],
    responses: { '200': { description: 'A shelf.' }, '4XX': { description: 'It is wrong.' } },
  }
  const document = (one: object) => ({
    openapi: '3.1.0',
    info: { title: 'Shelves', version: '1' },
    servers: [{ url: 'http://api.example' }],
    paths: { '/shelves/{id}': { get: { ...operation, parameters: [one] } } },
  })
  const { text } = await fixed('api.json', `${JSON.stringify(document(parameter), null, 2)}\n`)
  const after = document({ ...parameter, required: true })
  expect(text).toBe(`${JSON.stringify(after, null, 2)}\n`)
})

it('lint --fix leaves alone what is ignored, and rules that --only does not name', async () => {
  const ignored = PATHS.replace(
    '      # The shelf.',
    '      # twinspec-ignore path-parameter-is-not-required: known',
  )
  const flags = ['--only', 'path-parameter-is-not-required']
  const { text } = await fixed('api.yaml', HEAD + ignored, ...flags)
  expect(text.match(/required: true/g)).toHaveLength(2)
  expect(text).toContain('in: path # where it is\n        schema: { type: string }\n      - {')
  expect(text).not.toContain('deprecated')
})

it('lint --fix changes nothing where one text is used at two places by an alias, and says so', async () => {
  const shared = `  /shelves/{id}:
    get:
      operationId: getShelf
      parameters: &all
        - { in: path, name: id, schema: { type: string } }
${RESPONSES}  /rows/{id}:
    get:
      operationId: getRow
      parameters: *all
${RESPONSES}`
  const { text, stderr } = await fixed('api.yaml', HEAD + shared)
  expect(text).toBe(HEAD + shared)
  expect(stderr).toMatch(/api\.yaml was not changed: its layout/)
})

it('lint --fix mends a document beside one that cannot be read', async () => {
  const folder = await folderOf({
    'api.yaml': HEAD + PATHS,
    'methods.yaml': `openrpc: 1.3.2
info: { title: Shelves, version: '1' }
methods: [{ name: list, params: [], result: { name: all, schema: { $ref: '#/none' } } }]
`,
  })
  const [api, methods] = [join(folder, 'api.yaml'), join(folder, 'methods.yaml')]
  const { code, stdout } = await twinspec('lint', '--fix', api, methods)
  expect(code).toBe(1)
  expect(stdout).toContain('[reference-is-dangling]')
  expect(readFileSync(api, 'utf8')).toContain('deprecated: true')
})
