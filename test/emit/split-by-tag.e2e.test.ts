import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { inOneFile } from '../../src/emit/declaration.js'
import { emitAll } from '../../src/emit/emit.js'
import { emitExplanations } from '../../src/emit/explanations.js'
import type { File } from '../../src/emit/file.js'
import { folderHeader, header } from '../../src/emit/header.js'
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

  it('has a folder for each tag, for what several need, and whole files under their own names', () => {
    const folders = new Set(files.map(({ name }) => dirname(name)))
    expect([...folders].sort()).toEqual([
      '.',
      'by-tag/2nd',
      'by-tag/alone',
      'by-tag/pet-store',
      'by-tag/shared',
      'by-tag/shared2',
    ])
    const ofPets = files
      .map(({ name }) => name)
      .filter((one) => dirname(one) === 'by-tag/pet-store')
    expect(ofPets.filter((one) => !/pet\d/.test(one))).toEqual([
      'by-tag/pet-store/explanations.ts',
      'by-tag/pet-store/http.client.ts',
      'by-tag/pet-store/http.types.ts',
      'by-tag/pet-store/operations.ts',
      'by-tag/pet-store/pet.explanations.ts',
      'by-tag/pet-store/pet.schemas.ts',
      'by-tag/pet-store/validators.ts',
    ])
    expect([...texts.keys()]).toEqual(
      expect.arrayContaining([
        'http.client.ts',
        'http.types.ts',
        'by-tag/shared/uncalled.schemas.ts',
      ]),
    )
  })

  it('has the compiler pass over what stands in folders, and nothing else', () => {
    const sources = files.filter(({ name }) => name.endsWith('.ts'))
    const suppressing = /@ts-(ignore|nocheck|expect-error)|biome-ignore|eslint-|prettier-ignore/
    for (const { name, text } of sources) {
      const isWhole = dirname(name) === '.'
      expect(text.startsWith(`${isWhole ? header() : folderHeader()}\n`), name).toBe(true)
      expect(suppressing.test(text.replace(folderHeader(), '')), name).toBe(false)
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
      import type * as pets from './by-tag/pet-store/http.types.js'
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
      is<Equal<keyof pets.components['schemas'], 'Pet' | 'Problem'>>()
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
    ].map(inOneFile)
    for (const { name, text } of undivided) {
      const wanted = exportsOf(name, new Map([[name, text]]))
      expect(wanted.length).toBeGreaterThan(100)
      expect([name, ...exportsOf(name, texts)]).toEqual([name, ...wanted])
    }
  })

  it('has the compiler read for one operation what that one leads to, and no more', () => {
    const kinds = ['explanations', 'schemas']
    const each = (place: string) => kinds.map((kind) => `${place}.${kind}.ts`)
    const always = ['shared/http.client.ts', 'shared/support.ts']
    expect(readFor('by-tag/2nd/order.ts')).toEqual(
      [
        '2nd/order.ts',
        ...each('2nd/order'),
        ...each('shared/problem'),
        ...each('shared/size'),
        ...each('shared/tree'),
        ...always,
        'rpc.types.ts',
      ].sort(),
    )
    expect(readFor('by-tag/pet-store/pet7.ts').filter((one) => !one.includes('pet7'))).toEqual(
      [...each('pet-store/pet'), ...each('shared/problem'), ...always].sort(),
    )
  })

  it('explains values by texts that the compiler reads as one token each', async () => {
    const { Strange, pet7 } = await loaded('explanations.ts')
    const wrong = JSON.parse('{"__proto__":"Tree","enum":0,"$ref":"d`A$","const":{"items":"Tree"}}')
    const pointers = Strange.explain(wrong).map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toEqual(['/__proto__', '/enum', '/$ref', '/const'])
    const right = JSON.parse('{"__proto__":"`","enum":1,"$ref":"7`A$","const":{"items":"Size"}}')
    expect(Strange.explain(right)).toEqual([])
    expect(pet7.responses[404].explain({ error: 'x' })).toMatchObject([
      { pointer: '/error', keyword: 'minLength' },
    ])
    const text = texts.get('by-tag/shared/uncalled.explanations.ts') ?? ''
    expect(text.match(/`\{[\s\S]*?\}`\)/g)?.length).toBe(2)
  })

  it('has each client carry what its operations need, and no more', async () => {
    const text = await bundled('by-tag/2nd/http.client.ts')
    expect(text).toContain('/order')
    expect(text).not.toMatch(/pet0|list0|\/alone/)
  })

  it('has clients that check as the whole one does', async () => {
    const pets = await running('by-tag/pet-store/http.client.ts', 'createPetStoreClient')
    const trees = await running('by-tag/2nd/http.client.ts', 'create_2ndClient')
    const whole = await running('http.client.ts', 'createHttpClient')
    expect(Object.keys(whole({ server: 'http://there' }))).toHaveLength(113)
    expect(Object.keys(pets({ server: 'http://there' }))).toHaveLength(60)
    for (const [create, id, good, bad] of [
      [pets, 'pet7', { name: 'Rex' }, { label: 'x' }],
      [whole, 'pet7', { name: 'Rex' }, { label: 'x' }],
      [trees, 'order', [{ leaves: [{ size: 1 }] }], [{ leaves: [{ size: 0 }] }]],
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

describe('a document of another shape', () => {
  it('is divided with a single tag', async () => {
    const one = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`/p/${at}`, read(`pet${at}`, 'Pets', ref('Pet'))]),
    )
    const single = await apiOf({ openapi: openapiOf({ paths: one, schemas }) })
    expect(emitAll(single, [], [...DEFAULT_KINDS, 'server']).map(({ name }) => name)).toContain(
      'by-tag/pets/pet7.ts',
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

/** The files that the compiler reads for one of them, by their names. */
function readFor(name: string): readonly string[] {
  const read = new Set([name])
  for (const one of read) {
    for (const [, from = ''] of (texts.get(one) ?? '').matchAll(/(?:from |import\()'(\..*?)\.js'/g))
      read.add(join(dirname(one), `${from}.ts`))
  }
  return [...read].map((one) => one.replace('by-tag/', '')).sort()
}

type Client = Readonly<Record<string, (input: object) => Promise<unknown>>>

const running = async (entry: string, create: string): Promise<(options: object) => Client> =>
  (await loaded(entry))[create]

async function loaded(entry: string) {
  const url = `data:text/javascript;base64,${Buffer.from(await bundled(entry)).toString('base64')}`
  return import(url)
}

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(GENERATED, entry)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['twinspec-source', 'import'],
    external: ['node:*'],
    plugins: [beside],
  })
  return outputFiles[0]?.text ?? ''
}

const GENERATED = fileURLToPath(new URL('../../generated', import.meta.url))

/** What was emitted here stands where the generated folder is. */
const beside: Plugin = {
  name: 'beside',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, importer }) => {
      const file = join(dirname(importer), path).replace(/\.js$/, '.ts')
      return texts.has(file.slice(GENERATED.length + 1)) ? { path: file } : undefined
    })
    onResolve({ filter: /\/generated\/.*\.ts$/ }, ({ path }) => ({ path }))
    onLoad({ filter: /\/generated\// }, ({ path }) => {
      const contents = texts.get(path.slice(GENERATED.length + 1))
      return contents === undefined ? undefined : { contents, loader: 'ts', resolveDir: GENERATED }
    })
  },
}
