// One server in a process of its own, which tells what it has used of the processors. `servers.ts` bundles it.
import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import { Server as OpenRpcServer } from '@open-rpc/server-js'
import Fastify from 'fastify'
import { Hono } from 'hono'
import jayson from 'jayson'
import { JSONRPCServer } from 'json-rpc-2.0'
import { toNodeListener } from '../../../src/runtime/server.ts'
import { answerWith, ourServer } from './handlers.mjs'

const { name, results, canned, request, path } = JSON.parse(process.argv[2])

const HOST = '127.0.0.1'

const listening = (server) =>
  new Promise((resolve) => {
    server.listen(0, HOST, () => resolve(server.address().port))
  })

/** Reads the body whole, as every server must. */
const bodyOf = (incoming) =>
  new Promise((resolve, reject) => {
    const chunks = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString()))
    incoming.on('error', reject)
  })

const json = (response, text) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

const methods = Object.entries(results)

const servers = {
  ours: () => listening(createServer(toNodeListener(ourServer(results)))),
  'canned answer': () =>
    listening(
      createServer(async (incoming, response) => {
        await bodyOf(incoming)
        json(response, canned)
      }),
    ),
  fastify: async () => {
    // What the schema does not say is neither removed nor rewritten: only then is the same refused.
    const ajv = {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allowUnionTypes: true,
      },
    }
    const app = Fastify({ ajv })
    const answer = answerWith(results)
    app.post(path, { schema: { body: request } }, async ({ body }) => answer(body))
    await app.listen({ port: 0, host: HOST })
    return app.server.address().port
  },
  hono: () =>
    new Promise((resolve) => {
      const app = new Hono()
      const answer = answerWith(results)
      app.post(path, async (context) => context.json(answer(await context.req.json())))
      serve({ fetch: app.fetch, port: 0, hostname: HOST }, ({ port }) => resolve(port))
    }),
  jayson: () => {
    const handlers = methods.map(([method, result]) => [method, (_, done) => done(null, result)])
    return listening(new jayson.Server(Object.fromEntries(handlers)).http())
  },
  'json-rpc-2.0': () => {
    const server = new JSONRPCServer()
    for (const [method, result] of methods) server.addMethod(method, () => result)
    return listening(
      createServer(async (incoming, response) => {
        json(response, JSON.stringify(await server.receive(JSON.parse(await bodyOf(incoming)))))
      }),
    )
  },
  '@open-rpc/server-js': async () => {
    const port = await freePort()
    const server = new OpenRpcServer({
      openrpcDocument: {
        openrpc: '1.2.6',
        info: { title: 'What is measured', version: '1.0.0' },
        methods: methods.map(([method]) => ({
          name: method,
          params: ['first', 'second', 'third'].map((param) => ({ name: param, schema: true })),
          result: { name: 'result', schema: true },
        })),
      },
      transportConfigs: [{ type: 'HTTPTransport', options: { port, middleware: [] } }],
      methodMapping: Object.fromEntries(
        methods.map(([method, result]) => [method, async () => result]),
      ),
    })
    await server.start()
    return port
  },
}

async function freePort() {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

process.on('message', (asked) => {
  // What is thrown away of the garbage before is not the round's; what it makes itself is, as soon as the engine cleans up.
  if (asked === 'begin') globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  process.send({ cpu: (user + system) / 1000 })
})
process.once('disconnect', () => process.exit())
process.send({ port: await servers[name]() })
