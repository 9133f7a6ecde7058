import { emitExplanations } from './explanations.js'
import { createComponent } from './generator-component.js'
import { emitOperations } from './operations.js'
import { emitReference } from './reference.js'
import { emitRpcArtefacts } from './rpc-artefacts.js'
import { emitSchemas } from './schemas.js'
import { emitServer } from './server.js'
import { emitValidators } from './validators.js'

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
