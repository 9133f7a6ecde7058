import { createComponent } from './generator-component.js'
import { emitRpcArtefacts } from './rpc-artefacts.js'

/** What we drive the generator with: the files that depend on the OpenRPC document alone. */
const component = createComponent(emitRpcArtefacts)

// biome-ignore lint/style/noDefaultExport: the generator reads a component's default export
export default component
