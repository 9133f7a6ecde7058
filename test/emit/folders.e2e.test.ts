import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { inOneFile } from '../../src/emit/declaration.js'
import { emitAll } from '../../src/emit/emit.js'
import { emitExplanations } from '../../src/emit/explanations.js'
import type { File } from '../../src/emit/file.js'
import { header, uncheckedHeader } from '../../src/emit/header.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import { emitOperations } from '../../src/emit/operations.js'
import { emitHttpTypes } from '../../src/emit/types.js'
import { emitValidators } from '../../src/emit/validators.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { diagnose } from './strictest.js'
import { documents, json, paths, read, ref, schemas } from './tagged-documents.js'

const api = await apiOf(documents)
const files = emitAll(api, [], [...DEFAULT_KINDS, 'server'])
const texts = new Map(files.map(({ name, text }) => [name, text]))

describe('a large document', () => {
  it('compiles where no schema has a name', async () => {
    const operations = Array.from({ length: 101 }, (_, at) => {
      const answer = { description: 'Its number.', ...json({ type: 'integer' }) }
      const tags = [at % 2 === 0 ? 'even' : 'odd']
      const get = { operationId: `number${at}`, tags, responses: { 200: answer } }
      return [`/${at}`, { get }]
    })
    const servers = [{ url: 'https://api.example.com/v2' }]
    const paths = Object.fromEntries(operations)
    const bare = await apiOf({ openapi: openapiOf({ paths, servers }) })
    const written = emitAll(bare, [], [...DEFAULT_KINDS, 'server']).filter(({ name }) =>
      name.endsWith('.ts'),
    )
    expect(diagnose(new Map(written.map(({ name, text }) => [name, text])))).toEqual([])
  })

  it('has a folder for each tag, one for what several need, and whole files under their own names', () => {
    const kinds = ['http.calls.ts', 'explanations.ts', 'http.types.ts', 'validators.ts']
    const folders = ['2nd', 'alone', 'pet-store', 'shared', 'shared2']
    expect(files.map(({ name }) => name).sort()).toEqual(
      [
        ...folders.flatMap((folder) => kinds.map((kind) => `${folder}/${kind}`)),
        ...kinds.filter((kind) => kind !== 'http.calls.ts').map((kind) => `uncalled/${kind}`),
        ...kinds,
        ...['client.ts', 'http.client.ts', 'operations.ts', 'rpc.client.ts', 'rpc.methods.ts'],
        'rpc.openrpc.json',
        ...['rpc.types.ts', 'server.ts'],
      ].sort(),
    )
  })

  it('has the compiler pass over the code of folders and operations, and nothing else', () => {
    const sources = files.filter(({ name }) => name.endsWith('.ts'))
    const suppressing = /@ts-(ignore|nocheck|expect-error)|biome-ignore|eslint-|prettier-ignore/
    for (const { name, text } of sources) {
      const isChecked = dirname(name) === '.' && name !== 'operations.ts'
      expect(text.startsWith(`${isChecked ? header() : uncheckedHeader()}\n`), name).toBe(true)
      expect(suppressing.test(text.replace(uncheckedHeader(), '')), name).toBe(false)
    }
  })

  it('compiles under the strictest settings, each file', () => {
    const sources = [...texts].filter(([name]) => name.endsWith('.ts'))
    expect(sources.length).toBeGreaterThan(25)
    expect(diagnose(new Map(sources))).toEqual([])
  })

  it('has the types that it has undivided', async () => {
    const { text } = emitHttpTypes(api, 'client')
    const same = `
      import type * as divided from './http.types.js'
      import type * as pets from './pet-store/http.types.js'
      import type * as whole from './whole.types.js'
      import type { Equal } from '../test/types/equal.js'
      const is = <_ extends true>(): void => {}
      is<Equal<divided.Pet7Input, whole.Pet7Input>>()
      is<Equal<pets.Pet7Result, whole.Pet7Result>>()
      is<Equal<divided.OrderError, whole.OrderError>>()
      is<Equal<keyof divided.operations, keyof whole.operations>>()
      is<Equal<{ [K in keyof divided.operations]: divided.operations[K] }, { [K in keyof whole.operations]: whole.operations[K] }>>()
      type Divided = divided.components['schemas']
      type Whole = whole.components['schemas']
      is<Equal<{ [K in keyof Divided]: Divided[K] }, { [K in keyof Whole]: Whole[K] }>>()
      is<Equal<keyof pets.operations, Extract<keyof whole.operations, \`pet\${number}\`>>>()
      is<Equal<keyof pets.components['schemas'], 'Pet'>>()
      is<Equal<divided.Pet, whole.Pet>>()
      // @ts-expect-error the comparison sees a difference
      is<Equal<Divided['Pet'], Whole['label']>>()`
    const all = [...texts, ['whole.types.ts', text], ['same.ts', same]] as const
    expect(diagnose(new Map(all.filter(([name]) => name.endsWith('.ts'))))).toEqual([])
  })

  it('exports what it exports undivided, whole', () => {
    const undivided: readonly File[] = [
      emitOperations(api),
      emitValidators(api),
      emitExplanations(api),
    ].map((one) => inOneFile(one))
    for (const { name, text } of undivided) {
      const wanted = exportsOf(name, new Map([[name, text]]))
      expect(wanted.length).toBeGreaterThan(100)
      expect([name, ...exportsOf(name, texts)]).toEqual([name, ...wanted])
    }
  })

  it('has groups import from the shared folder alone', () => {
    for (const [name, text] of texts) {
      const folder = dirname(name)
      if (folder === '.' || folder === 'uncalled') continue
      const others = [...text.matchAll(/'\.\.\/(.*?)\/.*?\.js'/g)].map(([, other]) => other)
      expect([name, ...new Set(others)]).toEqual(
        [name, folder !== 'shared' && others.length > 0 ? 'shared' : []].flat(),
      )
    }
  })

  it('explains values by texts that the compiler reads as one token each', async () => {
    const { Strange, pet7 } = await loaded(`export * from './explanations.js'`)
    const wrong = JSON.parse('{"__proto__":"Tree","enum":0,"$ref":"d`A$","const":{"items":"Tree"}}')
    const pointers = Strange.explain(wrong).map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toEqual(['/__proto__', '/enum', '/$ref', '/const'])
    const right = JSON.parse('{"__proto__":"`","enum":1,"$ref":"7`A$","const":{"items":"Size"}}')
    expect(Strange.explain(right)).toEqual([])
    expect(pet7.responses[404].explain({ error: 'x' })).toMatchObject([
      { pointer: '/error', keyword: 'minLength' },
    ])
    const text = texts.get('uncalled/explanations.ts') ?? ''
    expect(text.match(/`\{[\s\S]*?\}`\)/g)?.length).toBe(2)
  })

  it('has single operations that check as the client of all does', async () => {
    const pet = await running('./pet-store/http.calls.js', 'createPet7Client')
    const order = await running('./http.calls.js', 'createOrderClient')
    const whole = await running('./http.client.js', 'createHttpClient')
    expect(Object.keys(whole({ server: 'http://there' }))).toHaveLength(113)
    expect(Object.keys(pet({ server: 'http://there' }))).toEqual(['pet7'])
    for (const [create, id, good, bad] of [
      [pet, 'pet7', { name: 'Rex' }, { label: 'x' }],
      [whole, 'pet7', { name: 'Rex' }, { label: 'x' }],
      [order, 'order', [{ leaves: [{ size: 1 }] }], [{ leaves: [{ size: 0 }] }]],
      [whole, 'order', [{ leaves: [{ size: 1 }] }], [{ leaves: [{ size: 0 }] }]],
    ] as const) {
      const call = (answer: unknown) =>
        create({ server: 'http://there', fetch: async () => Response.json(answer) })[id]?.({})
      await expect(call(good)).resolves.toEqual(good)
      await expect(call(bad)).rejects.toMatchObject({ name: 'CallError', reason: 'invalid-answer' })
    }
  })
})

describe('a small document', () => {
  it('stays as it is, up to a hundred operations', async () => {
    const some = Object.fromEntries(Object.entries(paths).slice(0, 100))
    const small = await apiOf({ openapi: openapiOf({ paths: some, schemas }) })
    expect(
      emitAll(small, [], [...DEFAULT_KINDS, 'server']).every(({ name }) => !name.includes('/')),
    ).toBe(true)
  })
})

describe('the client of one operation', () => {
  it.each([
    ['a small', Object.fromEntries(Object.entries(paths).slice(0, 100))],
    ['a large', paths],
  ])('of %s document is all that a bundle has of it', async (_, some) => {
    const written = emitAll(await apiOf({ openapi: openapiOf({ paths: some, schemas }) }))
    const among = new Map(written.map(({ name, text }) => [name, text]))
    const one = `import { createPet7Client } from './http.calls.js'\nexport const { pet7 } = createPet7Client({ server: 'http://there' })`
    const all = `import { createHttpClient } from './http.client.js'\nexport const { pet7 } = createHttpClient({ server: 'http://there' })`
    const own = generatedIn(await bundled(one, among))
    expect(own).toContain('/p/7')
    expect(own).not.toMatch(/\/p\/[0-689]|\/l\/|\/order|Size|Tree|list\d|pet[0-689]/)
    expect(generatedIn(await bundled(all, among))).toContain('/p/8')
  })

  it('calls and checks as the client of all does, and explains if it is given the explanations', async () => {
    const entry = `export { createPet7Client } from './pet-store/http.calls.js'
export * as explanations from './explanations.js'`
    const { createPet7Client, explanations } = await loaded(entry)
    const call = (body: object, more: object = {}) => {
      const options = { server: 'http://there', fetch: async () => Response.json(body), ...more }
      return createPet7Client(options).pet7({})
    }
    await expect(call({ name: 'Rex' })).resolves.toEqual({ name: 'Rex' })
    await expect(call({ label: 'x' })).rejects.toMatchObject({ reason: 'invalid-answer' })
    await expect(call({ label: 'x' }, { explanations: async () => explanations })).rejects.toThrow(
      'name',
    )
    expect(() => createPet7Client({ auth: { key: 'x' } })).toThrow("options.auth takes no 'key'")
  })
})

describe('a document of another shape', () => {
  it('is divided with a single tag', async () => {
    const one = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`/p/${at}`, read(`pet${at}`, 'Pets', ref('Pet'))]),
    )
    const single = await apiOf({ openapi: openapiOf({ paths: one, schemas }) })
    expect(emitAll(single, [], [...DEFAULT_KINDS, 'server']).map(({ name }) => name)).toContain(
      'pets/http.calls.ts',
    )
  })
})

/** The names that a module exports, those of other modules that it passes on included. */
function exportsOf(name: string, among: ReadonlyMap<string, string>): readonly string[] {
  const text = among.get(name) ?? ''
  const own = [...text.matchAll(/^export (?:const|function) ([\w$]+)/gm)].map(
    ([, one]) => one ?? '',
  )
  const named = [...text.matchAll(/^export \{([^}]*)\} from/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap((one) => one.trim().split(' as ').at(-1) || []),
  )
  const others = [...text.matchAll(/^export \* from '(\..*)\.js'/gm)].flatMap(([, from]) =>
    exportsOf(join(dirname(name), `${from}.ts`), among),
  )
  return [...new Set([...own, ...named, ...others])].sort()
}

type Client = Readonly<Record<string, (input: object) => Promise<unknown>>>

const running = async (module: string, create: string): Promise<(options: object) => Client> =>
  (await loaded(`export * from '${module}'`))[create]

async function loaded(entry: string) {
  const url = `data:text/javascript;base64,${Buffer.from(await bundled(entry)).toString('base64')}`
  return import(url)
}

/** The bundle of a program beside the generated files. */
async function bundled(program: string, among: ReadonlyMap<string, string> = texts) {
  const { outputFiles } = await build({
    entryPoints: [join(GENERATED, 'program.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['twinspec-source', 'import'],
    external: ['node:*'],
    plugins: [beside(new Map([...among, ['program.ts', program]]))],
  })
  return outputFiles[0]?.text ?? ''
}

/** What a bundle has of generated files, which it names in comments. */
const generatedIn = (bundle: string): string =>
  bundle
    .split(/^\/\/ /m)
    .filter((part) => part.startsWith('generated/'))
    .join('')

const GENERATED = fileURLToPath(new URL('../../generated', import.meta.url))

/** What was emitted here stands where the generated folder is. */
const beside = (among: ReadonlyMap<string, string>): Plugin => ({
  name: 'beside',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, importer }) => {
      const file = join(dirname(importer), path).replace(/\.js$/, '.ts')
      return among.has(file.slice(GENERATED.length + 1)) ? { path: file } : undefined
    })
    onResolve({ filter: /\/generated\/.*\.ts$/ }, ({ path }) => ({ path }))
    onLoad({ filter: /\/generated\// }, ({ path }) => {
      const contents = among.get(path.slice(GENERATED.length + 1))
      return contents === undefined ? undefined : { contents, loader: 'ts', resolveDir: GENERATED }
    })
  },
})
