import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.js'
import { DocumentError, type Finding } from '../../src/model/finding.js'
import { findDocuments, loadApi } from '../../src/read/load.js'
import { temporaryFolder } from '../temporary-folder.js'

const folder = temporaryFolder('bad')

type Files = Readonly<Record<string, string>>

/** Stands in a document just before the place that must be named. */
const MARK = '▸'

const http = (rest: string, version = '3.1.0') =>
  `openapi: ${version}\ninfo: { title: T, version: '1' }\n${rest}\n`

const rpc = (methods: string, rest = '') =>
  `openrpc: 1.3.2\ninfo: { title: T, version: '1' }\nmethods:\n${methods}\n${rest}`

const schemas = (rest: string) => http(`paths: {}\ncomponents:\n  schemas:\n${rest}`)

const operation = (path: string, rest: string) =>
  `  ${path}:\n    get:\n      ${rest}\n      responses: { '200': { description: ok } }`

const method = (rest: string) => `  - ${rest}\n    params: []\n    result: { name: r, schema: {} }`

const levels = 10_000
const repeated = (text: string) => text.repeat(levels)

// biome-ignore format: a row each
const REFUSED: readonly (readonly [what: string, files: Files, rule: string, message: RegExp])[] = [
  ['YAML that does not parse', { 'openapi.yaml': http('paths:\n  /a: { get: [ ▸}') }, 'document-does-not-parse', /the YAML is invalid: .*: indent it like its siblings, or close the quotes or brackets above/],
  ['JSON that does not parse', { 'openapi.json': '{\n  "openapi": "3.0.3"▸,\n}' }, 'document-does-not-parse', /there is a comma before the closing }/],
  ['an empty document', { 'openapi.yaml': '▸' }, 'document-is-empty', /empty/],
  ['a document of comments only', { 'openrpc.yaml': '▸# nothing yet\n' }, 'document-is-empty', /empty/],
  ['Swagger 1.2', { 'openapi.yaml': "▸swagger: '1.2'\npaths: {}" }, 'document-version-is-unknown', /it has swagger: "1.2"; versions 3\.0 to 3\.2 are supported/],
  ['OpenAPI 4', { 'openapi.yaml': 'openapi: ▸4.0.0\npaths: {}' }, 'document-version-is-unknown', /its version is "4\.0\.0"; versions 3\.0 to 3\.2 are supported/],
  ['OpenRPC 2', { 'openrpc.json': '{ "openrpc": ▸"2.0.0", "methods": [] }' }, 'document-version-is-unknown', /its version is "2\.0\.0"; versions 1\.0 to 1\.4 are supported: convert it to one of these/],
  ['no version', { 'openapi.yaml': '▸paths: {}' }, 'document-version-is-unknown', /it has no openapi field, and no openrpc field/],
  ['OpenRPC that its meta-schema refuses', { 'openrpc.yaml': rpc('  - name: a\n    params: ▸{ p: {} }\n    result: { name: r, schema: {} }') }, 'openrpc-document-is-invalid', /params must be an array, is an object/],
  ['a dangling reference of a method', { 'openrpc.yaml': rpc("  - name: a\n    params:\n      - $ref: ▸'#/components/contentDescriptors/P'\n    result: { name: r, schema: {} }") }, 'reference-is-dangling', /does not exist/],


  ['a regex as a key that does not compile', { 'openapi.yaml': schemas("    A:\n      patternProperties:\n        '*': ▸{}") }, 'pattern-does-not-compile', /"\*" is not a valid ECMAScript regular expression/],

  ['10,000 levels of JSON', { 'openapi.json': `${'{"a":'.repeat(500)}▸{"a":${'{"a":'.repeat(levels - 501)}1${repeated('}')}` }, 'document-nests-too-deep', /more than 500 levels/],
  ['10,000 levels of lists in JSON', { 'openapi.json': `${'['.repeat(500)}▸[${'['.repeat(levels - 501)}${repeated(']')}` }, 'document-nests-too-deep', /more than 500 levels/],
  ['600 levels of YAML in flow style', { 'openapi.yaml': `a: ${'['.repeat(499)}▸[${'['.repeat(100)}${']'.repeat(600)}` }, 'document-nests-too-deep', /more than 500 levels/],
  ['600 levels of YAML in block style', { 'openapi.yaml': `a:\n${indented(0, 499)}\n${' '.repeat(500)}▸${indented(500, 600).trimStart()}` }, 'document-nests-too-deep', /more than 500 levels/],
  ['an unquoted hex number', { 'openapi.yaml': http('paths: {}\nx-limits:\n  batchSize: ▸0x12') }, 'yaml-number-is-hex', /0x12 without quotes is the number 18/],
  ['a circular alias', { 'openapi.yaml': http('paths: {}\nx-a: &a\n  b:\n    c: ▸*a') }, 'yaml-alias-is-circular', /the alias \*a is inside its own anchor/],
  ['a second YAML document', { 'openapi.yaml': `${http('paths: {}')}▸---\nopenapi: 3.1.0\n` }, 'yaml-has-second-document', /a file may contain only one/],
  ['a key twice in JSON', { 'openapi.json': '{ "openapi": "3.1.0", "paths": {}, ▸"paths": {} }' }, 'document-key-is-duplicate', /"paths" occurs twice/],
  ['a key twice in JSON, once with an escape', { 'openapi.json': '{ "openapi": "3.1.0", "info": {}, "x-a": [{}, { "a": { "a\\"": 1 }, "b": "{", ▸"\\u0061": 2 }] }' }, 'document-key-is-duplicate', /"a" occurs twice/],
  ['a key twice', { 'openapi.yaml': http('paths: {}\n▸paths: {}') }, 'document-key-is-duplicate', /"paths" occurs twice/],
  ['a list at the top', { 'openapi.yaml': '▸- openapi: 3.1.0' }, 'document-is-not-an-object', /must be an object, not an array/],
]

describe('a document that cannot be generated from is refused with its place', () => {
  it.each(REFUSED)('%s', async (_, files, rule, message) => {
    const spec = written(files)
    const error = await refusal(spec)
    const { location } = error.finding
    expect({ rule: error.finding.rule, ...location, file: relative(spec, location.file) }).toEqual({
      rule,
      ...placeOf(files),
      pointer: expect.any(String),
    })
    expect(error.message).toMatch(message)
  })

  // Where the stack ends decides how deep the library goes before it gives up, so no column is sure.
  it.each([
    ['YAML in flow style', `a: ${repeated('{a: ')}1${repeated('}')}`],
    ['YAML lists in flow style', `a: ${repeated('[')}${repeated(']')}`],
    ['YAML lists in block style', `a:\n  ${repeated('- ')}x`],
    ['YAML in block style', `a:\n${indented(0, levels)}`],
  ])('10,000 levels of %s', async (_, text) => {
    const error = await refusal(written({ 'openapi.yaml': text }))
    const { rule, location } = error.finding
    expect(rule).toBe('document-nests-too-deep')
    expect(location.line + location.column).toBeGreaterThan(500)
  })

  it('a file that is not there', async () => {
    const file = join(folder, 'nowhere.yaml')
    const error = await loadApi({ openrpc: file }).catch((thrown) => thrown)
    expect(error.finding).toEqual({
      rule: 'document-does-not-exist',
      level: 'error',
      location: { file, line: 1, column: 1, pointer: '' },
      message: `there is no file ${file}`,
    })
  })
})

describe('the command, given a document that cannot be generated from', () => {
  it.each(REFUSED)('%s: one sentence, exit 2, nothing written', async (_, files, rule, message) => {
    const spec = written(files)
    const { openapi, openrpc } = findDocuments(spec)
    const out = join(spec, 'generated')
    const names = [
      ...(openapi ? ['--openapi', openapi] : []),
      ...(openrpc ? ['--openrpc', openrpc] : []),
    ]
    const result = await command(['generate', ...names, '--out', out])
    const { file, line, column } = placeOf(files)
    expect({ ...result, stderr: result.stderr.split('\n', 1)[0] }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
    expect(result.stderr.startsWith(`${join(spec, file)}:${line}:${column} error `)).toBe(true)
    expect(result.stderr).toMatch(new RegExp(`^[^\n]* \\[${rule}\\]\n`))
    expect(result.stderr).not.toContain('    at ')
    expect(existsSync(out)).toBe(false)
    expect(readdirSync(spec).sort()).toEqual(Object.keys(files).sort())
  })

  it('leaves the tree of before as it was', async () => {
    const spec = written({ 'openrpc.yaml': rpc(method('name: a')) })
    const out = join(spec, 'generated')
    const args = ['generate', '--openrpc', join(spec, 'openrpc.yaml'), '--out', out]
    expect((await command(args)).code).toBe(0)
    const before = contents(out)
    expect(Object.keys(before)).toContain('rpc.client.ts')
    writeFileSync(join(spec, 'openrpc.yaml'), rpc(method('name: [')))
    expect((await command(args)).code).toBe(2)
    expect(contents(out)).toEqual(before)
    expect(readdirSync(spec).sort()).toEqual(['generated', 'openrpc.yaml'])
  })
})

const returning = (rest: string) =>
  http(`paths:
  /a:
    get:
      operationId: a
      responses:
        '200':
          description: ok
          content:
            application/json:
${rest.replace(/^/gm, ' '.repeat(14))}`)

// biome-ignore format: a row each
const PARTIAL: readonly (readonly [what: string, files: Files, rule: string, message: RegExp])[] = [
  ['a key twice in YAML', { 'openapi.yaml': schemas("    A: { type: string, ▸type: boolean }") }, 'document-key-is-duplicate', /"type" occurs twice/],
  ['a key twice in JSON, which has content', { 'openapi.json': '{ "openapi": "3.1.0", "info": { "title": "T", "version": "1" }, "paths": {}, "components": { "schemas": { "A": {}, ▸"A": {} } } }' }, 'document-key-is-duplicate', /"A" occurs twice/],
  ['a hex number of an example', { 'openapi.yaml': schemas("    A: { type: string, example: ▸0x12 }") }, 'yaml-number-is-hex', /0x12 without quotes is the number 18/],
  ['a number that JSON does not have', { 'openapi.yaml': schemas("    A: { type: string, example: ▸.inf }") }, 'yaml-number-is-not-json', /JSON does not have/],
  ['a dangling reference in the same file', { 'openapi.yaml': schemas("    A:\n      $ref: ▸'#/components/schemas/B'") }, 'reference-is-dangling', /#\/components\/schemas\/B does not exist/],
  ['a dangling reference into another file', { 'openapi.yaml': schemas("    A:\n      $ref: ▸'./other.yaml#/B'"), 'other.yaml': 'A: {}' }, 'reference-is-dangling', /\.\/other\.yaml#\/B does not exist/],
  ['a dangling reference inside of another file', { 'openapi.yaml': schemas("    A:\n      $ref: 'other.yaml#/A'"), 'other.yaml': "A:\n  properties:\n    b: { $ref: ▸'#/B' }" }, 'reference-is-dangling', /#\/B does not exist/],
  ['a reference to a file that is not there', { 'openapi.yaml': schemas('    A: { $ref: ▸nowhere.yaml }') }, 'reference-is-dangling', /a file that does not exist: put it at .*nowhere\.yaml, correct the reference, or name the folder/],
  ['a reference by file URL', { 'openapi.yaml': schemas("    A: { $ref: ▸'file:///a.yaml' }") }, 'reference-is-remote', /is a URL of a file: write its path/],
  ['a reference to itself', { 'openapi.yaml': schemas("    A: { $ref: ▸'#/components/schemas/A' }") }, 'reference-is-circular', /refers only to itself/],
  ['references in a circle', { 'openapi.yaml': schemas("    A: { $ref: '#/components/schemas/B' }\n    B: { $ref: ▸'#/components/schemas/A' }") }, 'reference-is-circular', /refers only to itself/],
  ['references in a circle through a file', { 'openapi.yaml': schemas("    A: { $ref: 'other.yaml#/A' }"), 'other.yaml': "A: { $ref: '#/B' }\nB: { $ref: ▸'#/A' }" }, 'reference-is-circular', /refers only to itself/],
  ['an allOf of itself', { 'openapi.yaml': schemas("    A: ▸{ allOf: [ { $ref: '#/components/schemas/A' } ] }") }, 'reference-is-circular', /the schema A refers to itself for the same value/],
  ['an allOf of itself through another', { 'openapi.yaml': schemas("    A: ▸{ allOf: [ { $ref: '#/components/schemas/B' } ] }\n    B: { anyOf: [ { type: string }, { $ref: '#/components/schemas/A' } ] }") }, 'reference-is-circular', /the schema A refers to itself through B for the same value/],
  ['a method twice', { 'openrpc.yaml': rpc(`${method('name: a')}\n  - ▸name: a\n    params: []\n    result: { name: r, schema: {} }`) }, 'method-is-duplicate', /the method a is declared twice; the first is at .*openrpc\.yaml:4/],
]

describe('an error in a part of a document has its place, and the rest is read', () => {
  it.each(PARTIAL)('%s', async (_, files, rule, message) => {
    const spec = written(files)
    const { findings } = await loadApi(findDocuments(spec))
    const errors = findings.filter(({ level }) => level === 'error')
    expect(errors.map((finding) => placed(spec, finding))[0]).toEqual({
      rule,
      level: 'error',
      ...placeOf(files),
      message: expect.stringMatching(message),
    })
  })

  it('generates the rest: the error in one line, exit 0', async () => {
    const operations = [operation('/a', 'operationId: a'), operation('/b', 'operationId: b')]
    const text = http(`paths:\n${operations.join('\n')}`).replace('description: ok', 'headers: []')
    const spec = written({
      'openapi.yaml': `${text}components:\n  schemas:\n    A: { properties: { b: { $ref: '#/nope' }, c: { type: string } } }`,
    })
    const out = join(spec, 'generated')
    const file = join(spec, 'openapi.yaml')
    const { code, stderr } = await command(['generate', '--openapi', file, '--out', out])
    expect({ code, errors: stderr.match(/^.* error .*$/gm) }).toEqual({
      code: 0,
      errors: [
        expect.stringMatching(/the target of #\/nope does not exist \[reference-is-dangling\]$/),
      ],
    })
    const types = contents(out)['http.types.ts'] ?? ''
    expect(types).toMatch(/b\?: unknown/)
    expect(types).toMatch(/c\?: string/)
  })
})

// biome-ignore format: a row each
const REPORTED: readonly (readonly [what: string, files: Files, rule: string, message: RegExp])[] = [
  ['an example that breaks its schema', { 'openapi.yaml': returning('schema: { type: string }\nexamples:\n  one:\n    value: ▸12') }, 'example-invalid', /^the example one of GET \/a, 200, /],
  ['a regex that does not compile', { 'openapi.yaml': schemas("    A:\n      type: string\n      pattern: ▸'(['") }, 'pattern-does-not-compile', /"\(\[" is not a valid ECMAScript regular expression/],
  ['a version that is a number', { 'openapi.yaml': http('paths: {}', '▸3.1') }, 'document-version-is-incomplete', /the version is 3\.1, and OpenAPI versions are strings with three numbers: it is read as 3\.1; write "3\.1\.0"/],
  ['a version without its last number', { 'openapi.yaml': http('paths: {}', "▸'3.0'") }, 'document-version-is-incomplete', /the version is "3\.0", .* it is read as 3\.0/],
  ['a version of one number', { 'openapi.yaml': http('paths: {}', '▸3') }, 'document-version-is-incomplete', /the version is 3, .* it is read as 3\.0; write "3\.0\.0"/],
  ['a version with a v', { 'openapi.yaml': http('paths: {}', '▸v3.1.2') }, 'document-version-is-incomplete', /the version is "v3\.1\.2", .* it is read as 3\.1; write "3\.1\.2"/],
  ['a version with a placeholder', { 'openrpc.yaml': `openrpc: ▸1.4.x\ninfo: { title: T, version: '1' }\nmethods: []` }, 'document-version-is-incomplete', /the version is "1\.4\.x", .* it is read as 1\.4; write "1\.4\.0"/],
  ['a response where a schema belongs (Rev AI)', { 'openapi.yaml': http("paths:\n  /a:\n    get:\n      responses:\n        '200': { description: ok, content: { text/plain: { schema: { $ref: ▸'#/components/responses/R' } } } }\ncomponents:\n  responses:\n    R: { description: r }") }, 'reference-is-no-schema', /responses\/R is not a schema: it is read as one that accepts every value/],
  ['a mapping of a discriminator that leads nowhere (DigitalOcean)', { 'openapi.yaml': schemas("    A:\n      oneOf: [{ $ref: '#/components/schemas/B' }]\n      discriminator:\n        propertyName: kind\n        mapping:\n          b: ▸models/b.yaml#/b\n    B: { type: object, required: [kind], properties: { kind: { type: string } } }") }, 'reference-is-dangling', /models\/b\.yaml#\/b points at a file that does not exist/],
  ['a text where a schema belongs', { 'openapi.yaml': schemas("    A:\n      properties:\n        b: ▸see below") }, 'schema-is-no-object', /not the string "see below": it is read as one that accepts every value/],
  ['the name of a type where a schema belongs', { 'openapi.yaml': schemas("    A:\n      properties:\n        b: ▸string") }, 'schema-is-no-object', /it is read as the type string/],
  ['properties in the place of keywords (AggLayer)', { 'openapi.yaml': schemas("    A: { size: ▸{ type: integer }, title: { type: string }, next: { $ref: '#/components/schemas/A' } }") }, 'schema-keyword-is-unknown', /^size is not a keyword of JSON Schema but has a schema, so it is read as a property/],
  ['an empty type, as Go writes it', { 'openapi.yaml': schemas("    A: { type: ▸'' }") }, 'schema-type-is-unknown', /^"" is not a type: .*: type is ignored here$/],
  ['params of an example that are null', { 'openrpc.yaml': rpc("  - name: a\n    params: []\n    result: { name: r, schema: {} }\n    examples:\n      - name: e\n        params: ▸null\n        result: { name: r, value: 1 }") }, 'field-has-wrong-type', /^params must be an array, is null$/],
  ['a format in the place of a type', { 'openapi.yaml': schemas("    A: { type: ▸datetime }") }, 'schema-type-is-unknown', /"datetime" is not a type: write one of .*; it is read as string/],
  ['a type of another language', { 'openapi.yaml': schemas("    A: { type: ▸bool }") }, 'schema-type-is-unknown', /"bool" is not a type: write one of .*; it is read as boolean/],
  ['null without quotes as a type', { 'openapi.yaml': schemas("    A: { type: ▸null }") }, 'schema-type-is-unknown', /^null without quotes is not a type: it is read as the type null; write 'null'$/],
  ['null without quotes among types', { 'openapi.yaml': schemas("    A: { type: ▸[string, null] }") }, 'schema-type-is-unknown', /^null without quotes is not a type: it is read as the type null; write 'null'$/],
  ['a type without a value, beside other keywords', { 'openapi.yaml': schemas("    A: { type: ▸null, maxLength: 3 }") }, 'schema-type-is-unknown', /^null is not a type: .*: type is ignored here$/],
  ['the type of a list', { 'openapi.yaml': schemas("    A: { type: ▸'string[]' }") }, 'schema-type-is-unknown', /^"string\[\]" is not a type: .*; it is read as an array of the type string$/],
  ['the name of a schema as a type', { 'openapi.yaml': schemas("    A: { type: object, properties: { b: { type: ▸B } } }\n    B: { type: string }") }, 'schema-type-is-unknown', /^"B" is not a type: it is read as a reference to the schema B; write \$ref: '#\/components\/schemas\/B'$/],
  ['the name of a schema where a schema belongs', { 'openapi.yaml': schemas("    A: { type: array, items: ▸B }\n    B: { type: string }") }, 'schema-is-no-object', /not the string "B": it is read as a reference to #\/components\/schemas\/B$/],
  ['one schema where a list belongs', { 'openapi.yaml': schemas("    A: { allOf: ▸{ $ref: '#/components/schemas/B' } }\n    B: { type: string }") }, 'schema-keyword-invalid', /^allOf must be a list of schemas: the schema is read as a list of one; write \[ \] around it$/],
  ['a number in quotes', { 'openapi.yaml': schemas("    A: { type: string, maxLength: ▸'20' }") }, 'schema-keyword-invalid', /^maxLength must be a number, not the string "20": it is read as 20; remove the quotes$/],
  ['a boolean in quotes', { 'openapi.yaml': schemas("    A: { type: object, additionalProperties: ▸'false' }") }, 'schema-keyword-invalid', /^additionalProperties must be true or false, not the string "false": it is read as false; remove the quotes$/],
  ['a keyword in other letters', { 'openapi.yaml': schemas("    A: { type: string, maxlength: ▸20 }") }, 'schema-keyword-is-unknown', /^maxlength is not a keyword of JSON Schema: it is read as maxLength; write that$/],
  ['a type that nobody knows', { 'openapi.yaml': schemas("    A: { type: ▸any }") }, 'schema-type-is-unknown', /"any" is not a type: .*: type is ignored here/],
  ['an example that fits two branches of a oneOf', { 'openapi.yaml': returning('schema: { oneOf: [ { type: integer }, { type: number } ] }\nexamples:\n  one:\n    value: ▸12') }, 'example-fits-two-branches', /^the example one of GET \/a, 200, /],
  ['a param example that breaks its schema', { 'openrpc.yaml': rpc("  - name: a\n    params: [ { name: p, schema: { type: string } } ]\n    result: { name: r, schema: {} }\n    examples:\n      - name: e\n        params: [ { name: p, value: ▸1 } ]\n        result: { name: r, value: 1 }") }, 'example-invalid', /^the example e of a, params, at \/0 /],
  ['a result example that breaks its schema', { 'openrpc.yaml': rpc("  - name: a\n    params: []\n    result: { name: r, schema: { type: string } }\n    examples:\n      - name: e\n        params: []\n        result: { name: r, value: ▸1 }") }, 'example-invalid', /^the example e of a, result, /],
  ['a reference in another file to a component of the entry', { 'openapi.yaml': schemas("    A:\n      $ref: 'other.yaml#/A'\n    B: { type: string }"), 'other.yaml': "A:\n  type: object\n  properties:\n    b: { $ref: ▸'#/components/schemas/B' }" }, 'reference-is-inexact', /does not exist, so it is read as openapi\.yaml#\/components\/schemas\/B: write that$/],
  ['a reference with the name of a schema', { 'openapi.yaml': schemas("    A: { properties: { b: { $ref: ▸'B' } } }\n    B: { type: string }") }, 'reference-is-inexact', /^the target of B does not exist, so it is read as #\/components\/schemas\/B: write that$/],
  ['a reference with a name as an anchor', { 'openapi.yaml': schemas("    A: { properties: { b: { $ref: ▸'#B' } } }\n    B: { type: string }") }, 'reference-is-inexact', /^the target of #B does not exist, so it is read as #\/components\/schemas\/B: write that$/],
  ['a reference with the path of Swagger 2.0', { 'openapi.yaml': schemas("    A: { properties: { b: { $ref: ▸'#/definitions/B' } } }\n    B: { type: string }") }, 'reference-is-inexact', /^the target of #\/definitions\/B does not exist, so it is read as #\/components\/schemas\/B: write that$/],
  ['a reference with a part of a path', { 'openapi.yaml': schemas("    A: { properties: { b: { $ref: ▸'#/schemas/B' } } }\n    B: { type: string }") }, 'reference-is-inexact', /^the target of #\/schemas\/B does not exist, so it is read as #\/components\/schemas\/B: write that$/],
  ['a reference to a parameter, as in Swagger 2.0', { 'openapi.yaml': http("paths:\n  /a:\n    get:\n      parameters: [{ $ref: ▸'#/parameters/page' }]\n      responses: { '200': { description: ok } }\ncomponents: { parameters: { page: { name: page, in: query, schema: {} } } }") }, 'reference-is-inexact', /it is read as #\/components\/parameters\/page: write that$/],
  ['the result of an example without an Example Object', { 'openrpc.yaml': rpc("  - name: a\n    params: []\n    result: { name: r, schema: {} }\n    examples:\n      - name: e\n        params: []\n        result: ▸[ 1 ]") }, 'field-has-wrong-type', /^an Example Object must be an object with a name and a value, not .*: what is written here is read as the value; write \{ name: result, value: … \}$/],
  ['a param of an example without an Example Object', { 'openrpc.yaml': rpc("  - name: a\n    params: [ { name: p, schema: {} } ]\n    result: { name: r, schema: {} }\n    examples:\n      - name: e\n        params: [ ▸{ x: 1 } ]\n        result: { name: r, value: 1 }") }, 'field-has-wrong-type', /what is written here is read as the value; write \{ name: p, value: … \}$/],
  ['params of an example by name', { 'openrpc.yaml': rpc("  - name: a\n    params: [ { name: p, schema: {} } ]\n    result: { name: r, schema: {} }\n    examples:\n      - name: e\n        params: ▸{ p: 1 }\n        result: { name: r, value: 1 }") }, 'field-has-wrong-type', /its properties are read as the params by name/],
  ['an example that breaks its schema deep within', { 'openapi.yaml': returning('schema: { type: array, items: { properties: { at: { type: string } } } }\nexample:\n  - at: noon\n  - { zone: 1, at: ▸12 }') }, 'example-invalid', /^the example of GET \/a, 200, at \/1\/at /],
  ['a required param after an optional one', { 'openrpc.yaml': rpc("  - name: a\n    params:\n      - ▸name: p\n        schema: {}\n      - name: q\n        required: true\n        schema: {}\n    result: { name: r, schema: {} }") }, 'required-param-after-optional', /^a: the optional param p comes before a required one/],
  ['methods whose names collide', { 'openrpc.yaml': rpc(`${method('name: a_b')}\n  - ▸name: a.b\n    params: []\n    result: { name: r, schema: {} }`) }, 'operation-name-was-changed', /aB2/],
  ['an operationId that is not an identifier', { 'openapi.yaml': http(`paths:\n${operation('/a', "▸operationId: 'get things (all)'")}`) }, 'operation-name-was-changed', /^get things \(all\) is called getThingsAll in generated code/],
  ['an operationId that is a reserved word', { 'openapi.yaml': http(`paths:\n${operation('/a', '▸operationId: delete')}`) }, 'operation-name-was-changed', /^delete is called delete_ in generated code/],
  ['a schema whose name is not an identifier', { 'openapi.yaml': schemas("    ▸my-type: { type: string }") }, 'schema-name-was-changed', /^the schema my-type is called MyType in generated code/],
  ['OpenRPC with a field that it does not have', { 'openrpc.yaml': `${rpc(method('name: a'))}oops: ▸1` }, 'field-is-unknown', /^oops is not a field of the document and is ignored/],
  ['schemas whose names collide', { 'openapi.yaml': schemas("    MyType: { type: string }\n    ▸my-type: { type: number }") }, 'schema-name-was-changed', /^the schema my-type is called MyType2 in generated code/],
  ['a schema that another document has, differently', { 'openrpc.yaml': rpc(method('name: a'), 'components: { schemas: { A: { type: string } } }\n'), 'openapi.yaml': schemas('    ▸A: { type: number }') }, 'schema-name-was-changed', /^the schema A is called A2 in generated code: its own name is already used/],
]

describe('what is merely wrong is reported with its place, and generation goes on', () => {
  it.each(REPORTED)('%s', async (_, files, rule, message) => {
    const spec = written(files)
    const { findings } = await loadApi(findDocuments(spec))
    expect(findings.map((finding) => placed(spec, finding))).toEqual([
      { rule, level: 'warning', ...placeOf(files), message: expect.stringMatching(message) },
    ])
  })

  it('in one line each, exit 0, everything written', async () => {
    const [, files] = REPORTED[0] ?? ['', {}]
    const spec = written(files)
    const { file, line, column } = placeOf(files)
    const out = join(spec, 'generated')
    const args = ['generate', '--openapi', join(spec, file), '--out', out, '--verbose']
    const result = await command(args)
    const [first, last, ...rest] = result.stderr.split('\n')
    expect({ code: result.code, rest }).toEqual({ code: 0, rest: [''] })
    expect(first).toMatch(/^\S+ warning the example one of GET \/a, 200, .* \[example-invalid\]$/)
    expect(first?.startsWith(`${join(spec, file)}:${line}:${column} `)).toBe(true)
    expect(last).toMatch(/^generated \d+ files in /)
    expect(Object.keys(contents(out))).toContain('http.client.ts')
  })
})

function written(files: Files): string {
  const spec = mkdtempSync(join(folder, 'spec-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(spec, name)), { recursive: true })
    writeFileSync(join(spec, name), text.replace(MARK, ''))
  }
  return spec
}

/** Where the mark stands, in whichever file. */
function placeOf(files: Files) {
  for (const [file, text] of Object.entries(files)) {
    const before = text.split(MARK)
    if (before.length !== 2) continue
    const lines = before[0]?.split('\n') ?? []
    return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
  }
  throw new Error('no document has the mark')
}

async function refusal(spec: string): Promise<DocumentError> {
  try {
    await loadApi(findDocuments(spec))
  } catch (error) {
    if (error instanceof DocumentError) return error
    throw error
  }
  throw new Error('the document was read')
}

const placed = (spec: string, { rule, level, location, message }: Finding) => ({
  rule,
  level,
  file: relative(spec, location.file),
  line: location.line,
  column: location.column,
  message,
})

async function command(args: readonly string[]) {
  const said = { stdout: '', stderr: '' }
  const code = await run(args, {
    stdout: {
      write: (text) => {
        said.stdout += text
      },
    },
    stderr: {
      write: (text) => {
        said.stderr += text
      },
    },
    env: {},
    now: () => 0,
    interrupted: () => new AbortController().signal,
  })
  return { code, ...said }
}

const contents = (out: string) =>
  Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]))

/** One map a line, each in the one above. */
function indented(from: number, to: number): string {
  const lines = Array.from({ length: to - from }, (_, level) => `${' '.repeat(from + level + 1)}a:`)
  return lines.join('\n')
}
