import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { maskRefs, unmaskRefs } from '../../src/emit/openrpc-component.js'
import { apiOf, method, openrpcOf } from '../read/api-of.js'

/** A recursive schema: the generator's own dereferencer would not end on it. */
const document = openrpcOf({
  methods: [method('tree_read', [], { $ref: '#/components/schemas/Tree' })],
  schemas: {
    Tree: { type: 'object', properties: { left: { $ref: '#/components/schemas/Tree' } } },
  },
})

test('the generator’s own command line writes with our component what we write', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'component-'))
  try {
    const generator = dirname(
      createRequire(import.meta.url).resolve('@open-rpc/generator/package.json'),
    )
    await writeFile(join(folder, 'openrpc.json'), JSON.stringify(maskRefs(document)))
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({
        openrpcDocument: join(folder, 'openrpc.json'),
        components: [
          {
            type: 'custom',
            name: 'client',
            language: 'typescript',
            customComponent: fileURLToPath(
              new URL('../../src/emit/openrpc-component.ts', import.meta.url),
            ),
            customType: 'rpc',
            outPath: join(folder, 'out'),
            openRPCPath: null,
          },
        ],
      }),
    )
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const command = ['-C', 'twinspec-source', '--import', 'tsx', join(generator, 'build/cli.js')]
    await promisify(execFile)(
      process.execPath,
      [...command, 'generate', '-c', join(folder, 'config.json')],
      { cwd: root, timeout: 900_000 },
    )
    for (const file of emitAll(await apiOf({ openrpc: document }))) {
      expect(await readFile(join(folder, 'out', file.name), 'utf8'), file.name).toBe(file.text)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a shielded document has no reference left, and is itself again afterwards', () => {
  const shielded = maskRefs(document)
  expect(JSON.stringify(shielded)).not.toContain('"$ref"')
  expect(unmaskRefs(shielded)).toEqual(document)
})

test('a reference to a member of a list or of an encoded name is replaced, and a circular one is kept', () => {
  const descriptor = { name: 'size', schema: { type: 'integer' } }
  const circular = '#/components/contentDescriptors/Circular'
  const given = {
    methods: [
      { name: 'a', params: [{ $ref: '#/methods/1/params/0' }] },
      {
        name: 'b',
        params: [descriptor],
        result: { $ref: '#/components/contentDescriptors/a%20b' },
      },
      { name: 'c', params: [{ $ref: circular }, { $ref: '#/components/toString' }] },
    ],
    components: {
      contentDescriptors: {
        'a b': descriptor,
        Circular: { name: 'tree', schema: { properties: { next: { $ref: circular } } } },
      },
    },
  }
  const masked = maskRefs(given) as typeof given
  expect(masked.methods[0]?.params).toEqual([descriptor])
  expect(masked.methods[1]?.result).toEqual(descriptor)
  expect(masked.methods[2]?.params).toEqual([
    { name: 'tree', schema: { properties: { next: { 'x-ref': circular } } } },
    { 'x-ref': '#/components/toString' },
  ])
})
