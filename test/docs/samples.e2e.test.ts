// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables are those of a shell
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import { rpcSnippets } from '../../src/docs/rpc-languages.js'
import type { Sample } from '../../src/docs/samples.js'
import { sampleRequest } from '../../src/model/sample-request.js'
import { loadApi } from '../../src/read/load.js'
import { createChecker } from '../../src/schema/check.js'
import { ran } from '../cli/command.js'
import { compileErrors } from '../compile.js'
import { ROOT } from '../import-graph.js'
import { createFolder } from '../init/begun-project.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { samplesOf, siteOf } from './samples-of.js'

it('the TypeScript of every example compiles against the clients that are generated', async () => {
  const api = await loadApi({ openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' })
  const samples = samplesOf(siteOf(api))
  expect(samples.length).toBeGreaterThan(100)
  expect(
    samples.filter(({ curl }) => !/^curl -s /.test(curl ?? '') || curl?.includes('{apiKey}')),
  ).toEqual([])
  const calls = samples.map(({ typescript }) => typescript ?? '')
  expect(calls).not.toContain('')
  expect(compiled(calls, ROOT)).toEqual([])
  // A sample that is wrong is reported, or the line above says nothing.
  const wrong = samples[0]?.typescript?.replace(/\(\{.*$/s, '(1)') ?? ''
  expect(compiled([wrong], ROOT)).not.toEqual([])
})

it('JSON-RPC in Python is Python, whatever the values are', () => {
  const request = { id: 1, params: [true, null, 'is "true" \\ \' and\nnull', { 'a-b': -1.5e300 }] }
  const [{ text = '' } = {}] = rpcSnippets('https://node.example/YOUR_KEY', request)
  expect(text).toContain('requests.post("https://node.example/YOUR_KEY", json=request)')
  const program = `${text.split('\nresponse')[0]?.replace('import requests', '')}\nimport json\nprint(json.dumps(request))`
  const { stdout, error } = spawnSync('python3', ['-c', program], { encoding: 'utf8' })
  if (error) return process.stderr.write('python3 is not there: its sample is not run\n')
  expect(JSON.parse(stdout)).toEqual(request)
})

it('HTTP in Python sends what the client would, credentials and hostile texts included', async () => {
  const name = 'a "quoted" \\ \'name\'\nand `more` ${x}'
  const api = await apiOf({
    openapi: openapiOf({
      servers: [{ url: 'https://shop.example/v1' }],
      paths: {
        '/things/{id}': {
          put: {
            security: [{ token: [] }],
            parameters: [{ name: 'id', in: 'path', required: true, schema: {}, example: name }],
            requestBody: {
              content: { 'application/json': { example: { name, is: true, no: null } } },
            },
            responses: { 200: { description: 'Good.' } },
          },
        },
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    }),
  })
  const [{ others = [] } = {}] = samplesOf(siteOf(api))
  expect(others.map(({ language }) => language)).toEqual(['Python', 'Go', 'Java', 'PHP'])
  const python = others[0]?.text.replace('import requests', '') ?? ''
  const fake =
    'import json\nclass requests:\n  def put(url, **rest):\n    print(json.dumps([url, rest]))\n    return type("R", (), {"text": ""})\n'
  const { stdout, error } = spawnSync('python3', ['-c', fake + python], { encoding: 'utf8' })
  if (error) return process.stderr.write('python3 is not there: its sample is not run\n')
  const [url, sent] = JSON.parse(stdout)
  expect(decodeURIComponent(url)).toBe(`https://shop.example/v1/things/${name}`)
  expect(sent.json).toEqual({ name, is: true, no: null })
  expect(sent.headers).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer YOUR_TOKEN',
  })
})

it('TypeScript names the media type of a body, unless the client chooses it itself', async () => {
  const content = {
    'application/json': { example: { id: 1 } },
    'application/jsonl': { itemSchema: { type: 'object' }, example: [{ id: 1 }] },
  }
  const post = { operationId: 'add', requestBody: { content }, responses: {} }
  const openapi = openapiOf({ version: '3.2.0', paths: { '/a': { post } } })
  const samples = samplesOf(siteOf(await apiOf({ openapi })))
  expect(samples.map(({ typescript }) => typescript?.split('http.').at(-1))).toEqual([
    'add({ body: { id: 1 } })',
    "add({\n  body: [{ id: 1 }],\n  contentType: 'application/jsonl',\n})",
  ])
})

describe('a document without examples', () => {
  const PETS = 'node_modules/@readme/oas-examples/3.0/json/petstore.json'
  const pets = createFolder()
  afterAll(() => pets.remove())

  it('has samples of every operation that compile, whose bodies fit', async () => {
    const api = await loadApi({ openapi: PETS })
    writeFileSync(join(pets.folder, 'package.json'), '{ "type": "module" }')
    const out = join(pets.folder, 'generated')
    expect(await ran(['generate', '--openapi', PETS, '--out', out])).toMatchObject({ code: 0 })
    const site = siteOf(api)
    const calls = samplesOf(site).map(({ typescript }) => typescript ?? '')
    expect(calls).not.toContain('')
    expect(calls.length).toBe(20)
    const wrong = calls.find((call) => call.includes('petId: 1'))?.replace('petId: 1', "petId: 'a'")
    expect(compiled([...calls, wrong ?? ''], pets.folder)).toEqual([
      expect.stringContaining("Type 'string' is not assignable to type 'number'"),
    ])

    const checker = createChecker(api.schemas)
    const sent = api.operations.flatMap((operation) =>
      operation.kind === 'http' ? [sampleRequest(operation, site.madeUp)] : [],
    )
    for (const { operation, sent: body, lacksBody } of sent) {
      expect([operation.id, lacksBody]).toEqual([operation.id, false])
      if (body) expect(checker.schema(body.media.schema).explain(body.example.value)).toEqual([])
      for (const { name, required, schema, examples } of operation.parameters)
        if (required)
          expect([name, checker.schema(schema).explain(examples[0]?.value)]).toEqual([name, []])
    }
  })

  it('is asked as it wants to be, and says what is made up', async () => {
    const site = siteOf(await loadApi({ openapi: PETS }))
    const [, add, byStatus, , byId] = samplesOf(site).map(ours)
    expect(add).toMatchInlineSnapshot(`
      {
        "curl": "curl -s \\
        "http://petstore.swagger.io/v2/pet" \\
        -H "Authorization: Bearer \${TOKEN}" \\
        -H 'content-type: application/json' \\
        --data-raw '{
        "name": "doggie",
        "photoUrls": []
      }'",
        "madeUp": [
          "the body",
        ],
        "typescript": "import { createHttpClient } from './generated/http.client.js'

      const http = createHttpClient({
        server: 'petstore.swagger.io',
        auth: { petstore_auth: 'YOUR petstore_auth' },
      })
      const answer = await http.addPet({ body: { name: 'doggie', photoUrls: [] } })",
      }
    `)
    expect(byStatus?.curl).toMatchInlineSnapshot(`
      "curl -s \\
        "http://petstore.swagger.io/v2/pet/findByStatus?status=available" \\
        -H "Authorization: Bearer \${TOKEN}""
    `)
    expect(byId).toMatchInlineSnapshot(`
      {
        "curl": "curl -s \\
        "http://petstore.swagger.io/v2/pet/1" \\
        -H "api_key: \${API_KEY}"",
        "madeUp": [
          "petId",
        ],
        "typescript": "import { createHttpClient } from './generated/http.client.js'

      const http = createHttpClient({
        server: 'petstore.swagger.io',
        auth: { api_key: 'YOUR api_key' },
      })
      const answer = await http.getPetById({ path: { petId: 1 } })",
      }
    `)
  })

  it('shows no call with a value that nobody knows, and a variable in its line of curl', async () => {
    const code = { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }
    const schema = { type: 'object', required: ['code'], properties: { code } }
    const api = await apiOf({
      openapi: openapiOf({
        servers: [{ url: '/api/v2' }],
        paths: {
          '/things': {
            post: {
              requestBody: { required: true, content: { 'application/json': { schema } } },
              responses: { 200: { description: 'Good.' } },
            },
          },
        },
      }),
    })
    expect(samplesOf(siteOf(api)).map(ours)).toEqual([
      {
        curl: `curl -s \\\n  "\${SERVER}/api/v2/things" \\\n  -H 'content-type: application/json' \\\n  --data-raw "\${BODY}"`,
        typescript: undefined,
        madeUp: [],
      },
    ])
  })

  it('has the path of its server in both samples, where it is relative', async () => {
    const path = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
    const api = await apiOf({
      openapi: openapiOf({
        servers: [{ url: '/api/v2/' }],
        paths: {
          '/things/{id}': {
            get: { parameters: [path], responses: { 200: { description: 'Good.' } } },
          },
        },
      }),
    })
    const [{ curl, typescript } = {}] = samplesOf(siteOf(api))
    expect(curl).toContain('"${SERVER}/api/v2/things/text"')
    expect(typescript).toContain("createHttpClient({ server: 'https://YOUR server/api/v2' })")
  })
})

/** A sample without the languages that have no client of ours. */
const ours = ({ others: _, ...sample }: Sample) => sample

/** What the compiler reports for texts in a folder beside `generated/`. */
function compiled(texts: readonly string[], folder: string): readonly string[] {
  const files = new Map(texts.map((text, at) => [join(folder, `sample-${at}.ts`), text]))
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, ROOT)
  return compileErrors({ files: [...files.keys()], texts: files, options }).map((error) => {
    const [path = '', , ...message] = error.split(': ')
    return `${files.get(path)}: ${message.join(': ')}`
  })
}
