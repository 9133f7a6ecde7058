/** A server of documents that we do not know: it starts, and refuses what nobody has written yet. */
export const emptyServer = `\
import { createServer as listen } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, notOffered, toNodeListener } from '../generated/server.js'

// \`notOffered\` refuses every operation. Write handlers under it, one for each; without it the compiler says which are missing.
const server = createServer({
  ...notOffered,
})

const { PORT = '8080' } = process.env
const node = listen(toNodeListener(server))
node.listen(Number(PORT), '127.0.0.1', () => {
  console.log(\`http://127.0.0.1:\${(node.address() as AddressInfo).port}\`)
})
`
