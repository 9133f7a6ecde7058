/** How the project is worked on, in a page. */
export const readme = (name: string, isTaken: boolean): string => `\
# ${heading(name)}

The service is described in \`spec/\`. Types, clients, validators, server stubs, a mock and a reference
follow from that and stand in \`generated/\`, which is committed and never edited.

\`\`\`sh
npm install
npm run generate   # after every change of spec/
npm test           # documents, generated code and compiler agree
npm run mock       # answers the examples of the documents on http://127.0.0.1:4010
npm start          # src/server.ts${isTaken ? ', which refuses what nobody has written yet' : ', on http://127.0.0.1:8080'}
npm run conform    # asks the running server whether it keeps the contract: it writes and deletes there
\`\`\`
${isTaken ? '' : CALL}`

const CALL = `
A call, once the server runs; the mock listens on port 4010 instead of 8080:

\`\`\`ts
import { createHttpClient } from './generated/http.client.js'
import { createRpcClient } from './generated/rpc.client.js'

const http = createHttpClient({ server: 'http://127.0.0.1:8080' })
const rpc = createRpcClient({ server: 'http://127.0.0.1:8080/rpc' })

const { id } = await http.sendParcel({ body: { to: 'Via Appia 7', grams: 850 } })
console.log(await rpc.parcelGet(id))
\`\`\`
`

/** Markdown would read what stands in a name. */
const heading = (name: string): string => name.replace(/[\\`*_{}[\]<>#|]/g, '\\$&')
