import jayson from 'jayson'
import { chainMethods } from '../chain.mjs'
import { listening } from '../listening.mjs'

const methods = Object.fromEntries(
  Object.entries(chainMethods).map(([name, method]) => [
    name,
    (params, callback) => {
      try {
        callback(null, method(params))
      } catch ({ code, message }) {
        callback({ code, message })
      }
    },
  ]),
)
const server = new jayson.Server(methods).http()
server.listen(0, '127.0.0.1', () => listening(server.address().port))
