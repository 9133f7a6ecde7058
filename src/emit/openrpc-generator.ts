import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import generator from '@open-rpc/generator'
import type { Api, JsonObject } from '../model/api.js'
import { type Memory, noCache } from '../model/cache.js'
import { shapeOf } from '../model/cache-key.js'
import { isObject } from '../model/json.js'
import type { File } from './file.js'
import type { GeneratorComponent } from './generator-component.js'
import { maskRefs } from './mask-refs.js'
import { emitRpcArtefacts } from './rpc-artefacts.js'

/**
 * Has @open-rpc/generator write the files that follow from the OpenRPC document alone, through a
 * component that hands it our emitters' text, into a folder that is read back and removed.
 */
export async function driveOpenRpcGenerator(
  api: Api,
  remember: Memory = noCache,
): Promise<readonly File[]> {
  const { rpc } = api
  if (!rpc) return []
  const files = emitRpcArtefacts(api, remember)
  // It writes the text that it is handed, and refuses a document by its shape.
  const made = await remember(
    '@open-rpc/generator',
    () => shapeOf(withoutSchemas(rpc.bundled)),
    async () => ({ files, written: await handedOver(files, rpc.bundled) }),
  )
  return made.files === files ? made.written : files
}

async function handedOver(files: readonly File[], document: JsonObject): Promise<readonly File[]> {
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-'))
  const component = join(folder, 'component.cjs')
  waiting.set(component, handing(files))
  try {
    await writeFile(component, FETCH_COMPONENT)
    await generate({
      openrpcDocument: withoutSchemas(maskRefs(document)),
      components: [
        {
          type: 'custom',
          name: 'twinspec',
          language: 'typescript',
          customComponent: component,
          customType: 'rpc',
          outPath: folder,
          openRPCPath: null,
        },
      ],
    })
    const read = async ({ name }: File) => ({
      name,
      text: await readFile(join(folder, name), 'utf8'),
    })
    return await Promise.all(files.map(read))
  } finally {
    waiting.delete(component)
    await rm(folder, { recursive: true, force: true })
  }
}

/** The text is ours already, and the generator's typings would print their opinion of each schema. */
function withoutSchemas({ components: _, ...document }: JsonObject): JsonObject {
  const bare = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(bare)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, key === 'schema' ? {} : bare(member)]),
    )
  }
  return bare(document) as JsonObject
}

const handing = (files: readonly File[]): GeneratorComponent => ({
  hooks: {
    beforeCompileTemplate: [],
    templateFiles: {
      typescript: files.map(({ name, text }) => ({ path: name, template: () => text })),
    },
  },
  staticPath: () => undefined,
})

/**
 * The generator knows a component only as a file that it can `require`, and a required copy of our
 * modules would read the document a second time. So the file fetches the component from here.
 */
const REGISTRY = 'twinspec.generator-components'
const FETCH_COMPONENT = `exports.default = globalThis[Symbol.for('${REGISTRY}')].get(__filename)
Object.defineProperty(exports, '__esModule', { value: true })
`

const registries = globalThis as unknown as Record<symbol, Map<string, GeneratorComponent>>
registries[Symbol.for(REGISTRY)] ??= new Map()
const waiting = registries[Symbol.for(REGISTRY)] as Map<string, GeneratorComponent>

type Generate = (options: {
  readonly openrpcDocument: unknown
  readonly components: readonly Readonly<Record<string, unknown>>[]
}) => Promise<void>

/** A CommonJS package whose default export lies one level deeper when it is imported. */
const generate = ((generator as { readonly default?: unknown }).default ?? generator) as Generate
