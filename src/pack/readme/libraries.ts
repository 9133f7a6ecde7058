import { memberName, string } from '../../emit/file.js'
import type { Api } from '../../model/api.js'
import type { Chosen } from './choose.js'
import { indented } from './clients.js'
import { optionsOf } from './place.js'
import { importing, section, snippet } from './section.js'
import { handlersOf } from './server.js'

/** The package as a part of viem, by a method that the documents have. */
export const viem = (api: Api, name: string, { methods }: Chosen): readonly string[] => {
  const method = methods.find(({ operation }) => operation.paramStructure !== 'by-name')
  const chain = api.rpc?.servers.find(({ chainId }) => chainId !== undefined)
  if (!method || !chain) return []
  const params = method.args === '' ? '' : `, params: [${method.args}]`
  const key = memberName(chain.name)
  const member = /^[\w$]+$/.test(key) ? `.${key}` : `[${string(chain.name)}]`
  return [
    section(
      'viem',
      'The chains, the methods and their types, and a transport that sends calls of one turn as one batch within the limits of the service.',
      snippet(
        importing('chains, rpcSchema, rpcTransport', `${name}/viem`),
        importing('createPublicClient', 'viem'),
        '',
        `const transport = rpcTransport(${optionsOf(api, 'rpc')})`,
        `const client = createPublicClient({ chain: chains${member}, transport, rpcSchema })`,
        `console.log(await client.request({ method: ${string(method.operation.method)}${params} }))`,
      ),
    ),
  ]
}

/** Tests of a front end, without a server. */
export const msw = (api: Api, name: string, { methods, operations }: Chosen): readonly string[] => {
  const [method] = methods
  const [operation] = operations
  const isRpc = method !== undefined
  const called = isRpc ? method : operation
  if (!called) return []
  const [create, part] = isRpc ? ['createRpcClient', 'rpc'] : ['createHttpClient', 'http']
  const server = (isRpc ? api.rpc : api.http)?.servers[0]
  if (!server || !/^https?:/.test(server.url)) return []
  return [
    section(
      'MSW',
      'Handlers for both protocols, which answer by the examples of the documents unless a test says otherwise.',
      snippet(
        importing('createHandlers', `${name}/msw`),
        importing(create ?? '', `${name}/${part}`),
        importing('setupServer', 'msw/node'),
        '',
        'const mocked = setupServer(...createHandlers())',
        `mocked.listen({ onUnhandledRequest: 'error' })`,
        `const client = ${create}({ server: ${string(server.name)} })`,
        `console.log(await client.${called.operation.id}(${called.args}))`,
        'mocked.close()',
      ),
    ),
  ]
}

/** The server among the routes of an app. */
export const fastify = (name: string, chosen: Chosen): readonly string[] => {
  const handlers = handlersOf(chosen)
  if (handlers.length === 0) return []
  return [
    section(
      'Fastify',
      'The same server as a plugin: it takes the paths of the documents, and no other.',
      snippet(
        importing('toFastifyPlugin', `${name}/fastify`),
        importing('createServer, notOffered', `${name}/server`),
        importing('fastify', 'fastify'),
        '',
        'const server = createServer({',
        '  ...notOffered,',
        ...handlers.slice(0, 1).map(indented),
        '})',
        'const app = fastify()',
        'app.register(toFastifyPlugin(server))',
        'await app.listen({ port: Number(process.env.PORT ?? 8080) })',
      ),
    ),
  ]
}
