import { fileURLToPath } from 'node:url'
import express from 'express'
import { middleware } from 'express-openapi-validator'
import { listening } from '../listening.mjs'
import { createPets } from '../pets.mjs'

// The program of the library's README, with responses validated.
const apiSpec = fileURLToPath(new URL('../pets.openapi.yaml', import.meta.url))
const pets = createPets()
const app = express()
app.use(express.json())
app.use(middleware({ apiSpec, validateRequests: true, validateResponses: true }))
app.get('/pets', (request, response) => response.json(pets.list(request.query.limit)))
app.post('/pets', (request, response) => response.status(201).json(pets.add(request.body)))
app.get('/pets/:id', (request, response) => {
  const pet = pets.get(Number(request.params.id))
  if (pet) response.json(pet)
  else response.status(404).json({ message: 'there is no such pet' })
})
app.use((error, _request, response, _next) => {
  const { status = 500, message, headers = {} } = error
  response.status(status).set(headers).json({ message })
})
const server = app.listen(0, '127.0.0.1', () => listening(server.address().port))
