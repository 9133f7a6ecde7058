import type { JsonObject } from '../model/api.js'
import { parseDocument } from '../model/document.js'
import { loadApi } from '../model/load.js'
import type { File } from './file.js'
import { emitOperations } from './operations.js'
import { emitReference } from './reference.js'
import { emitRpcArtefacts } from './rpc-artefacts.js'
import { emitSchemas } from './schemas.js'
import { emitServer } from './server.js'
import { unshield } from './shield.js'
import { emitValidators } from './validators.js'

/**
 * A component for @open-rpc/generator (`type: 'custom'`, `language: 'typescript'`): it writes what
 * `twinspec generate` writes of an OpenRPC document alone. Hand the generator the document that
 * `shieldDocument` gives: its own dereferencer does not end on recursive schemas.
 */
const component = {
  hooks: { beforeCompileTemplate: [prepare], templateFiles: templates() },
  staticPath,
}

// biome-ignore lint/style/noDefaultExport: the generator reads a component's default export
export default component

export { shieldDocument } from './shield.js'

const NAMES = [
  'operations.ts',
  'reference.md',
  'rpc.client.ts',
  'rpc.openapi.json',
  'rpc.openrpc.json',
  'rpc.types.ts',
  'schemas.ts',
  'server.ts',
  'validators.ts',
]

/** The generator's templates answer at once, so what takes time is done in the hook before them. */
let emitted: readonly File[] = []

async function prepare(
  _destination: string,
  _source: unknown,
  _component: unknown,
  document: JsonObject,
): Promise<void> {
  const text = JSON.stringify(unshield(document))
  const api = await loadApi({ openrpc: parseDocument(text, 'openrpc.json') })
  emitted = [
    ...(await emitRpcArtefacts(api)),
    emitOperations(api),
    emitReference(api),
    emitSchemas(api),
    emitServer(api),
    emitValidators(api),
  ]
}

function templates() {
  const typescript = () =>
    NAMES.map((path) => ({
      path,
      template: () => emitted.find(({ name }) => name === path)?.text ?? '',
    }))
  return {
    get typescript() {
      return typescript()
    },
  }
}

/** No folder to copy. */
function staticPath(): undefined {
  return undefined
}
