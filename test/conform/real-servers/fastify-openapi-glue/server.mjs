import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import { listening } from '../listening.mjs'
import { createPets } from '../pets.mjs'

// The program of the library's README.
const specification = fileURLToPath(new URL('../pets.openapi.yaml', import.meta.url))
const pets = createPets()
const serviceHandlers = {
  listPets: async ({ query }) => pets.list(query.limit),
  addPet: async ({ body }, reply) => reply.code(201).send(pets.add(body)),
  getPet: async ({ params }, reply) =>
    pets.get(params.id) ?? reply.code(404).send({ message: 'there is no such pet' }),
}
const app = fastify()
app.register(openapiGlue, { specification, serviceHandlers })
await app.listen({ port: 0, host: '127.0.0.1' })
listening(app.server.address().port)
