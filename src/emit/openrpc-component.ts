import type { JsonObject } from '../model/api.js'
import { parseDocument } from '../model/document.js'
import { loadApi } from '../model/load.js'
import { emitAll } from './emit.js'
import type { File } from './file.js'
import { unmaskRefs } from './mask-refs.js'

/**
 * A component for @open-rpc/generator (`type: 'custom'`, `language: 'typescript'`) that writes what `twinspec generate`
 * writes. Hand the generator the document that `maskRefs` gives: its own dereferencer does not end on recursive schemas.
 */
const createComponent = (): GeneratorComponent => {
  // The generator's templates answer at once, so what takes time is done in the hook before them.
  let emitted: readonly File[] = []
  return {
    hooks: {
      beforeCompileTemplate: [
        async (_destination, _source, _component, document) => {
          const text = JSON.stringify(unmaskRefs(document))
          emitted = emitAll(await loadApi({ openrpc: parseDocument(text, 'openrpc.json') }))
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
const component = createComponent()

// biome-ignore lint/style/noDefaultExport: the generator reads a component's default export
export default component

export { maskRefs } from './mask-refs.js'
