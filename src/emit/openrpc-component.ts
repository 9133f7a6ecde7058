import type { Api, JsonObject } from '../model/api.js'
import { parseDocument } from '../model/document.js'
import { loadApi } from '../model/load.js'
import { emitExplanations } from './explanations.js'
import type { File } from './file.js'
import { unmaskRefs } from './mask-refs.js'
import { emitOperations } from './operations.js'
import { emitReference } from './reference.js'
import { emitRpcArtefacts } from './rpc-artefacts.js'
import { emitSchemas } from './schemas.js'
import { emitServer } from './server.js'
import { emitValidators } from './validators.js'

/**
 * A component for @open-rpc/generator (`type: 'custom'`, `language: 'typescript'`) that writes what
 * `emit` makes of the document. Hand the generator the document that `maskRefs` gives: its own
 * dereferencer does not end on recursive schemas.
 */
function createComponent(emit: (api: Api) => Promise<readonly File[]>): GeneratorComponent {
  // The generator's templates answer at once, so what takes time is done in the hook before them.
  let emitted: readonly File[] = []
  return {
    hooks: {
      beforeCompileTemplate: [
        async (_destination, _source, _component, document) => {
          const text = JSON.stringify(unmaskRefs(document))
          emitted = await emit(await loadApi({ openrpc: parseDocument(text, 'openrpc.json') }))
        },
      ],
      templateFiles: {
        get typescript() {
          return emitted.map(({ name, text }) => ({ path: name, template: () => text }))
        },
      },
    },
    // No folder to copy.
    staticPath: () => undefined,
  }
}

type GeneratorComponent = {
  readonly hooks: {
    readonly beforeCompileTemplate: readonly Prepare[]
    readonly templateFiles: {
      readonly typescript: readonly { readonly path: string; readonly template: () => string }[]
    }
  }
  readonly staticPath: () => undefined
}

type Prepare = (
  destination: string,
  source: unknown,
  component: unknown,
  document: JsonObject,
) => Promise<void>

/** For teams that run @open-rpc/generator: all that `twinspec generate` writes of an OpenRPC document alone. */
const component = createComponent(async (api) => [
  ...emitRpcArtefacts(api),
  emitOperations(api),
  emitReference(api),
  emitSchemas(api),
  emitServer(api),
  emitValidators(api),
  emitExplanations(api),
])

// biome-ignore lint/style/noDefaultExport: the generator reads a component's default export
export default component

export { maskRefs } from './mask-refs.js'
