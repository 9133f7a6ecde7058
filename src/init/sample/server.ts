/** A server of the documents to begin with; it starts with the examples, so that they are true of it. */
export const server = `\
import { createServer as listen } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RpcError } from 'twinspec/runtime/errors'
import type { Parcel } from '../generated/schemas.js'
import { createServer, toNodeListener } from '../generated/server.js'

const parcels = new Map<string, Parcel>([
  ['p-1001', { id: 'p-1001', to: 'Via Appia 7', grams: 850, status: 'waiting' }],
])

// Requests that break the documents never come here: they are refused before.
const server = createServer({
  sendParcel: ({ body }) => {
    const parcel: Parcel = { ...body, id: \`p-\${1001 + parcels.size}\`, status: 'waiting' }
    parcels.set(parcel.id, parcel)
    return { status: 201, body: parcel }
  },
  getParcel: ({ path: { parcelId } }) => {
    const parcel = parcels.get(parcelId)
    return parcel
      ? { status: 200, body: parcel }
      : { status: 404, body: { error: \`there is no parcel \${parcelId}\` } }
  },
  parcelGet: ([parcelId]) => {
    const parcel = parcels.get(parcelId)
    if (!parcel) throw new RpcError({ code: 1, message: 'there is no such parcel' })
    return parcel
  },
  parcelCount: ([status]) =>
    [...parcels.values()].filter((one) => status === undefined || one.status === status).length,
})

const { PORT = '8080' } = process.env
const node = listen(toNodeListener(server))
node.listen(Number(PORT), '127.0.0.1', () => {
  console.log(\`http://127.0.0.1:\${(node.address() as AddressInfo).port}\`)
})
`
