import { createServer as listen } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HttpError } from 'twinspec/runtime/errors'
import { createServer, toNodeListener } from '../generated/server.js'
import { createLibrary } from './library.js'

const CARD = 'card-4711'

const server = createServer(
  createLibrary((note) => console.log(`note: ${note}`)),
  {
    admit: ({ operation, auth: { libraryCard } }) => {
      if (operation?.access !== 'key' || libraryCard === CARD) return
      throw new HttpError({
        operation: operation.id,
        status: 401,
        body: undefined,
        message: 'this card is not known',
        // RFC 9110, 15.5.2: a challenge, even where no scheme of it is registered.
        headers: new Headers({ 'WWW-Authenticate': 'LibraryCard' }),
      })
    },
  },
)

const node = listen(toNodeListener(server))
node.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(node.address() as AddressInfo).port}`)
})
