import express from 'express'
import { createJSONRPCErrorResponse, JSONRPCServer } from 'json-rpc-2.0'
import { chainMethods } from '../chain.mjs'
import { listening } from '../listening.mjs'

// The program of the library's README, with an error code of the method's own.
const rpc = new JSONRPCServer({ errorListener: () => {} })
for (const [name, method] of Object.entries(chainMethods)) rpc.addMethod(name, method)
rpc.mapErrorToJSONRPCErrorResponse = (id, { code = -32603, message }) =>
  createJSONRPCErrorResponse(id, code, message)

const app = express()
app.use(express.json())
app.post('/', async (request, response) => {
  const answer = await rpc.receive(request.body)
  if (answer) response.json(answer)
  else response.sendStatus(204)
})
const server = app.listen(0, '127.0.0.1', () => listening(server.address().port))
