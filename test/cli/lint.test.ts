import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../src/report/formats.js'
import { temporaryFolder } from '../temporary-folder.js'
import { OPENAPI, OPENRPC, ran } from './command.js'

const folder = temporaryFolder('lint')

const written = (name: string, text: string) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** What is said of one document, without the folder it stands in. */
const linted = async (file: string, ...args: readonly string[]) => {
  const flag = file.includes('rpc') ? '--openrpc' : '--openapi'
  const { code, stdout, stderr } = await ran(['lint', flag, file, ...args])
  const plain = (text: string) =>
    text.replaceAll(`${folder}/`, '').replace(/by \d+ rules/, 'by N rules')
  return { code, stdout: plain(stdout), stderr: plain(stderr) }
}

const clean = `${OPENRPC}    summary: Tells the time.
    errors: [{ code: 1, message: late }]
    examples:
      - name: noon
        params: []
        result: { name: now, value: noon }
      - name: late
        params: []
        x-error: { code: 1, message: late }
x-limits: { batchSize: 40 }
`.replace("version: '1'", "version: '1', description: Time. ")

describe('twinspec lint', () => {
  it('says one line where there is nothing to say', async () => {
    expect(await linted(written('rpc-clean.yaml', clean))).toEqual({
      code: 0,
      stdout: '',
      stderr: 'clean by N rules\n',
    })
  })

  it('shows the lines that a finding is about, counts the notes, and ends well unless there is an error', async () => {
    const file = written('rpc-undescribed.yaml', OPENRPC)
    const { code, stdout, stderr } = await linted(file)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '2 warnings, 3 notes by N rules (--verbose shows the notes)\n',
    })
    expect(stdout).toMatchInlineSnapshot(`
      "rpc-undescribed.yaml:4:5 warning clock_now has no example: add a pairing of params and result under examples [method-has-no-example]
       2 | info: { title: Clock, version: '1' }
       3 | methods:
       4 |   - name: clock_now
         |     ^
      rpc-undescribed.yaml:4:5 warning clock_now has no summary and no description: add one [operation-has-no-description]
       2 | info: { title: Clock, version: '1' }
       3 | methods:
       4 |   - name: clock_now
         |     ^
      "
    `)
  })

  it('an error in one document hides no finding of the other', async () => {
    const http = written('http-dangling.yaml', OPENAPI.replace('type: string', "$ref: '#/none'"))
    const rpc = written('rpc-beside.yaml', OPENRPC)
    const { code, stdout } = await ran(['lint', http, rpc])
    expect(code).toBe(1)
    expect(stdout.match(/\[(method-has-no-example|reference-is-dangling)\]/g)?.sort()).toEqual([
      '[method-has-no-example]',
      '[reference-is-dangling]',
    ])
  })

  it.each([
    ['error', 0],
    ['warning', 1],
    ['note', 1],
  ])('--fail-on %s ends with %d where there are warnings', async (level, want) => {
    const file = written('rpc-warned.yaml', OPENRPC)
    expect((await linted(file, '--fail-on', level)).code).toBe(want)
  })

  it('ends with 1 where there is an error', async () => {
    const file = written('rpc-reserved.yaml', clean.replace('code: 1', 'code: -32500'))
    const { code, stdout } = await linted(file, '--only', 'error-code-is-reserved')
    expect(code).toBe(1)
    expect(stdout).toContain('rpc-reserved.yaml:8:22 error -32500 is reserved by JSON-RPC')
  })

  it('takes what keeps a document from being read for a finding, and a missing one for none', async () => {
    const dangling = OPENAPI.replace('{ type: string }', "{ $ref: '#/components/schemas/Time' }")
    const { code, stdout } = await linted(written('api-dangling.yaml', dangling))
    expect(code).toBe(1)
    expect(stdout).toContain(
      'error the target of #/components/schemas/Time does not exist [reference-is-dangling]',
    )
    expect((await linted(join(folder, 'api-missing.yaml'))).code).toBe(2)
  })

  it('prints the errors of both documents among all other findings, in one run', async () => {
    const openapi = written(
      'many.yaml',
      `openapi: 3.0.3
info: { title: Clock, version: '1' }
paths:
  /now:
    get:
      parameters: { name: zone }
      responses:
        '200':
          description: The time
          content: { application/json: { schema: { $ref: '#/components/schemas/Time' } } }
        '400': { $ref: 'errors.yaml#/late' }
  /then: [get]
`,
    )
    const openrpc = written(
      'many-rpc.yaml',
      `openrpc: 1.3.2
info: { title: Clock }
methods:
  - { name: a, params: [], result: { name: now, schema: { $ref: '#/components/schemas/Time' } } }
  - { name: b, params: [], result: { name: now, schema: {} }, extra: 1 }
  - { name: c, params: [], result: { schema: {} } }
components: { schemas: { Other: {} } }
`,
    )
    const { code, stdout, stderr } = await ran([
      ...['lint', '--openapi', openapi, '--openrpc', openrpc],
    ])
    const lines = stdout.replaceAll(`${folder}/`, '').match(/^many.*$/gm)
    expect(lines?.join('\n')).toMatchInlineSnapshot(`
      "many-rpc.yaml:2:7 error info must have the property \`version\` [openrpc-document-is-invalid]
      many-rpc.yaml:4:5 warning a has no example: add a pairing of params and result under examples [method-has-no-example]
      many-rpc.yaml:4:5 warning a has no summary and no description: add one [operation-has-no-description]
      many-rpc.yaml:4:65 error the target of #/components/schemas/Time does not exist [reference-is-dangling]
      many-rpc.yaml:5:5 warning b has no example: add a pairing of params and result under examples [method-has-no-example]
      many-rpc.yaml:5:5 warning b has no summary and no description: add one [operation-has-no-description]
      many-rpc.yaml:5:57 warning any value is accepted: describe its shape, or say under x-not-shown why it is open [schema-accepts-anything]
      many-rpc.yaml:5:70 warning extra is not a field of methods[1] and is ignored: an extension begins with x- [field-is-unknown]
      many-rpc.yaml:6:5 warning c has no example: add a pairing of params and result under examples [method-has-no-example]
      many-rpc.yaml:6:5 warning c has no summary and no description: add one [operation-has-no-description]
      many-rpc.yaml:6:36 warning result must have the property \`name\` [field-is-missing]
      many-rpc.yaml:6:46 warning any value is accepted: describe its shape, or say under x-not-shown why it is open [schema-accepts-anything]
      many-rpc.yaml:7:33 warning any value is accepted: describe its shape, or say under x-not-shown why it is open [schema-accepts-anything]
      many.yaml:6:7 warning getNow has no summary and no description: add one [operation-has-no-description]
      many.yaml:6:7 warning the operation has no operationId, so its name is made of its method and path: give it one [operation-has-no-id]
      many.yaml:6:19 error parameters must be a list of parameters, not an object: it is left out [field-has-wrong-type]
      many.yaml:10:40 warning the response 200 has no example: add one under example or examples [response-has-no-example]
      many.yaml:10:58 error the target of #/components/schemas/Time does not exist [reference-is-dangling]
      many.yaml:11:24 error errors.yaml#/late points at a file that does not exist: put it at errors.yaml, correct the reference, or name the folder that it is relative to with --allow-outside [reference-is-dangling]
      many.yaml:12:10 error /then must be an object, not a list: it is left out [field-has-wrong-type]"
    `)
    expect({ code, stderr: stderr.replace(/by \d+/, 'by N') }).toMatchInlineSnapshot(`
      {
        "code": 1,
        "stderr": "6 errors, 14 warnings, 10 notes by N rules (--verbose shows the notes)
      ",
      }
    `)
  })

  it('prints every schema that cannot be read as written', async () => {
    const { code, stdout } = await linted(
      written(
        'api-schemas.yaml',
        `${OPENAPI.replace('{ type: string }', '{ type: text }')}components:
  schemas:
    Time: { type: object, properties: { at: { pattern: '(' }, zone: { minLength: long } } }
    Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }] }
`,
      ),
    )
    expect(code).toBe(1)
    expect(stdout.match(/^api.*$/gm)?.join('\n')).toMatchInlineSnapshot(`
      "api-schemas.yaml:6:7 warning getNow has no summary and no description: add one [operation-has-no-description]
      api-schemas.yaml:12:31 warning "text" is not a type: write one of null, boolean, object, array, number, integer, string; it is read as string [schema-type-is-unknown]
      api-schemas.yaml:16:11 warning no operation uses Time of the schemas, directly or through other components: use it or remove it [component-is-unused]
      api-schemas.yaml:16:56 warning "(" is not a valid ECMAScript regular expression: /(/: Unterminated group: pattern is ignored here [pattern-does-not-compile]
      api-schemas.yaml:16:56 warning in (, Unterminated group makes the pattern invalid in ECMAScript: correct it [pattern-is-unportable]
      api-schemas.yaml:16:82 warning minLength must be a whole number from 0: minLength is ignored here [schema-keyword-invalid]
      api-schemas.yaml:17:11 warning no operation uses Loop of the schemas, directly or through other components: use it or remove it [component-is-unused]
      api-schemas.yaml:17:11 error the schema Loop refers to itself for the same value, so no value can be validated against it: it is read as one that accepts every value [reference-is-circular]
      api-schemas.yaml:17:11 warning any value is accepted: describe its shape, or say under x-not-shown why it is open [schema-accepts-anything]"
    `)
  })

  it('--only asks the rules that are named', async () => {
    const file = written('rpc-only.yaml', OPENRPC)
    const only = 'limits-are-undeclared, method-has-no-example'
    const { stdout, stderr } = await linted(file, '--only', only)
    expect(stdout.match(/\[[a-z-]+\]$/gm)).toContain('[limits-are-undeclared]')
    expect(stderr).toBe('1 warning, 1 note by N rules\n')
  })

  it.each([
    ['method-has-no-exmple', 'did you mean method-has-no-example?'],
    ['spelling', '--list-rules lists them'],
  ])('--only with the unknown rule %s says what was meant', async (rule, meant) => {
    const { code, stderr } = await linted(written('rpc-any.yaml', OPENRPC), '--only', rule)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `twinspec lint: there is no rule ${rule}: ${meant}\n`,
    })
  })

  it.each(Object.keys(FORMATS).filter((name) => name !== 'text'))(
    '--format %s prints every finding, notes too',
    async (format) => {
      const { code, stdout, stderr } = await linted(
        written('rpc-all.yaml', OPENRPC),
        '--format',
        format,
      )
      expect(code).toBe(0)
      expect(stderr).toMatch(/^2 warnings, 3 notes by \w+ rules\n$/)
      expect(stdout).toContain('operation-declares-no-error')
      expect(stdout).toContain('method-has-no-example')
    },
  )
})

it('--format junit fails what --fail-on fails', async () => {
  const file = written('rpc-junit.yaml', OPENRPC)
  const { code, stdout } = await linted(file, '--format', 'junit', '--fail-on', 'note')
  const [, tests, failures] = /tests="(\d+)" failures="(\d+)"/.exec(stdout) ?? []
  expect({ code, failures }).toEqual({ code: 1, failures: tests })
})

it.skipIf(process.platform === 'win32')('refuses what has no end', async () => {
  const { code, stderr } = await linted('/dev/zero')
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/has more than 256 MiB, or never ends: name the document/),
  })
})

describe('twinspec lint --list-rules', () => {
  it('prints the table, and reads no document', async () => {
    const { code, stdout } = await ran(['lint', '--list-rules', '--openapi', 'missing.yaml'])
    expect(code).toBe(0)
    expect(
      stdout.split('\n').find((line) => line.startsWith('variants-overlap')),
    ).toMatchInlineSnapshot(
      `"variants-overlap                       error    If a body or params match two variants of x-variants, callers cannot know which of them the server chooses."`,
    )
    expect(stdout).toContain('example-invalid')
  })

  it('is JSON where that is asked for, and nothing else', async () => {
    const { stdout } = await ran(['lint', '--list-rules', '--format', 'json'])
    expect(JSON.parse(stdout)).toContainEqual({
      id: 'component-is-unused',
      level: 'warning',
      purpose: 'An unused component costs readers time and is often not maintained.',
    })
    expect((await ran(['lint', '--list-rules', '--format', 'sarif'])).code).toBe(2)
  })
})

describe('twinspec lint --preset', () => {
  const file = written(
    'preset.yaml',
    OPENAPI.replace('operationId: getNow', 'operationId: get-now'),
  )
  const rulesOf = async (...args: readonly string[]) => {
    const { stdout } = await linted(file, ...args, '--format', 'json')
    const { findings }: { findings: { rule: string }[] } = JSON.parse(stdout)
    return new Set(findings.map(({ rule }) => rule))
  }

  it('consumer reports only what changes generated code, and counts the rest', async () => {
    expect([...(await rulesOf('--preset', 'consumer'))]).toEqual(['operation-name-was-changed'])
    const { stderr } = await linted(file, '--preset', 'consumer')
    expect(stderr).toMatch(/^1 warning by N rules \(\d+ more concern only the owner/)
  })

  it('strict shows notes to people, recommended does not, and both report them to programs', async () => {
    const note = '[operation-declares-no-error]'
    expect((await linted(file, '--preset', 'strict')).stdout).toContain(note)
    expect((await linted(file)).stdout).not.toContain(note)
    expect(await rulesOf('--preset', 'strict')).toEqual(await rulesOf())
  })

  it('is a line of the configuration', async () => {
    const config = written('preset.config.yaml', 'lint: { preset: consumer }\n')
    expect([...(await rulesOf('--config', config))]).toEqual(['operation-name-was-changed'])
  })

  it('--score prints points and reasons, in json too', async () => {
    const { stdout } = await linted(file, '--score')
    expect(stdout).toMatch(/score: \d+ of 100\n {2}-\d\.\d operation-/)
    const { stdout: json } = await linted(file, '--score', '--format', 'json')
    expect(JSON.parse(json)).toHaveProperty('facts.score', expect.any(Number))
  })
})

describe('twinspec lint --rules', () => {
  const rule = (body: string, id = 'team-tag') =>
    `{ id: '${id}', level: 'error', purpose: 'Each operation has an owner.', find: ${body} }`
  const module = (name: string, ...rules: readonly string[]) =>
    written(name, `export const rules = [${rules.join(', ')}]\n`)
  const find =
    '(api) => api.operations.filter(({ tags }) => tags.length === 0).map(({ id, source }) => ({ location: source.locate(), message: id + " has no tag" }))'
  const file = written('team.yaml', OPENAPI)

  it('reports findings of the rules of a team, with places', async () => {
    const { code, stdout } = await linted(file, '--rules', module('team.mjs', rule(find)))
    expect(code).toBe(1)
    expect(stdout).toMatch(/^team\.yaml:\d+:\d+ error \w+ has no tag \[team-tag\]$/m)
  })

  it('--only, --list-rules and # twinspec-ignore know them', async () => {
    const rules = module('known.mjs', rule(find))
    const { stdout } = await linted(file, '--rules', rules, '--only', 'team-tag')
    expect(stdout.match(/\[[a-z-]+\]$/gm)).toEqual(['[team-tag]'])
    expect((await linted(file, '--rules', rules, '--list-rules')).stdout).toContain('team-tag')
    const ignored = OPENAPI.replace(/^( *)get:/m, '$1# twinspec-ignore team-tag: ours\n$1get:')
    const { code } = await linted(written('ignored.yaml', ignored), '--rules', rules)
    expect(code).toBe(0)
  })

  it.each([
    ['no-such.mjs', 'Cannot find module'],
    [written('none.mjs', 'export const other = 1'), 'must export a list called rules'],
    [module('id.mjs', rule(find, 'Team Tag')), 'rules[0].id must be in kebab case'],
    [module('ours.mjs', rule(find, 'example-invalid')), 'there is a rule example-invalid already'],
    [module('twice.mjs', rule(find), rule(find)), 'the rule team-tag is there twice'],
    [module('bare.mjs', "{ id: 'a', level: 'bad' }"), 'must be error, warning or note'],
    [module('throws.mjs', rule('() => { throw new Error("no") }')), 'the rule team-tag failed: no'],
    [module('empty.mjs', rule('() => [{}]')), 'a finding needs a location and a message'],
  ])('%s ends with a sentence and exit code 2', async (rules, message) => {
    const { code, stdout, stderr } = await linted(file, '--rules', rules)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  })
})
