import { string } from '../../emit/file.js'
import { actionGroups } from '../../emit/viem.js'
import type { Api } from '../../model/api.js'
import { markdownCode } from '../../model/escape.js'
import { actionName } from '../../runtime/viem/action-name.js'
import { bodyExamples, httpArgs, memberOf, saying } from './calls.js'
import { type Chosen, publicFirst } from './choose.js'
import { indented } from './clients.js'
import { optionsOf } from './place.js'
import { importing, section, snippet } from './section.js'
import { handlersOf } from './server.js'

/** The package as a part of viem, by a method and an operation that the documents have. */
export const viem = (api: Api, name: string, chosen: Chosen): readonly string[] => {
  const method = chosen.methods.find(({ operation }) => operation.paramStructure !== 'by-name')
  const chain = api.rpc?.servers.find(({ chainId }) => chainId !== undefined)
  if (!method || !chain) return []
  const params = method.args === '' ? '' : `, params: [${method.args}]`
  const action = actionOf(api, chosen)
  const client = `createPublicClient({ chain: chains${memberOf(chain.name)}, transport, rpcSchema })`
  return [
    section(
      'viem',
      'The chains, the methods and their types, a transport that sends calls of one turn as one batch within the limits of the service, and the HTTP operations as actions, by their tags.',
      snippet(
        importing(
          ['chains, rpcSchema, rpcTransport', action?.group].filter(Boolean).join(', '),
          `${name}/viem`,
        ),
        importing('createPublicClient', 'viem'),
        '',
        `const transport = rpcTransport(${optionsOf(api, 'rpc')})`,
        ...(action
          ? [`const client = ${client}.extend(`, `  ${action.group}(${action.options}),`, ')']
          : [`const client = ${client}`]),
        ...saying(method),
        `console.log(await client.request({ method: ${string(method.operation.method)}${params} }))`,
        ...(action ? [...action.said, `console.log(await client.${action.call})`] : []),
      ),
    ),
  ]
}

/** The operation of the first call, as an action. */
const actionOf = (api: Api, { operations: [first] }: Chosen) => {
  const group = actionGroups(api).find(({ operations }) =>
    operations.some(({ id }) => id === first?.operation.id),
  )
  if (!first || !group) return undefined
  return {
    group: group.name,
    said: saying(first),
    options: optionsOf(api, 'http', [first.operation]),
    call: `${actionName(first.operation.id)}(${first.args})`,
  }
}

/** JSON-RPC as wallets' tools take it; shown by what every such chain answers. */
export const eip1193 = (api: Api, name: string): readonly string[] => {
  const methods = api.operations.flatMap((one) => (one.kind === 'rpc' ? [one.method] : []))
  if (!ASKED_BY_ETHERS.every((method) => methods.includes(method))) return []
  return [
    section(
      'EIP-1193 and ethers',
      `${markdownCode('connect')}, ${markdownCode('disconnect')} and ${markdownCode('chainChanged')} are emitted as requests find out. ethers keeps answers for 250 ms, nonces too, in which a fast chain mines: ${markdownCode('cacheTimeout: -1')} has it ask each time.`,
      snippet(
        importing('createProvider', `${name}/eip1193`),
        importing('BrowserProvider', 'ethers'),
        '',
        `const eip1193 = createProvider(${optionsOf(api, 'rpc')})`,
        'const provider = new BrowserProvider(eip1193, undefined, { cacheTimeout: -1 })',
        'const { chainId } = await provider.getNetwork()',
        'console.log(chainId, await provider.getBlockNumber())',
      ),
    ),
  ]
}

const ASKED_BY_ETHERS = ['eth_chainId', 'eth_blockNumber']

/** A call of a contract by the lines of its ABI, as the documents show one. */
export const contracts = (api: Api, name: string): readonly string[] => {
  const operations = api.operations.filter((one) => one.kind === 'http').sort(publicFirst)
  for (const operation of operations) {
    const variant = operation.variants.find(({ contractCall }) => contractCall !== undefined)
    const example = bodyExamples(operation).find((one) => one.name === variant?.example)
    const args = example && httpArgs(operation, example)
    if (!variant?.contractCall || args === undefined) continue
    const { abi, method, output } = variant.contractCall
    const body = example?.value as Readonly<Record<string, unknown>>
    const isRead = readsBy(body[abi], body[method])
    return [
      section(
        'Typed calls of contracts',
        `Lines of an ABI that are literals type ${markdownCode(variant.contractCall.arguments)}, which are given as bigint, number or decimal text, and ${markdownCode(output)}. A wrong name or argument does not compile; the ${markdownCode(output)} of a function that writes is typed ${markdownCode('undefined')}.`,
        snippet(
          importing('contractCalls', `${name}/contracts`),
          importing('createHttpClient', `${name}/http`),
          '',
          `const http = createHttpClient(${optionsOf(api, 'http', [operation])})`,
          `const answer = await contractCalls(http).${operation.id}(${args})`,
          `console.log(answer${isRead ? memberOf(output) : ''})`,
        ),
      ),
    ]
  }
  return []
}

/** Whether lines of an ABI say that a function reads. */
const readsBy = (lines: unknown, method: unknown): boolean =>
  Array.isArray(lines) &&
  lines.some(
    (line) =>
      String(line).match(/^\s*function\s+([\w$]+)/)?.[1] === method &&
      /\)[^()]*\b(?:view|pure)\b/.test(line),
  )

/** The server among the routes of an app. */
export const fastify = (name: string, chosen: Chosen): readonly string[] => {
  const server = shortServer(chosen)
  return [
    section(
      'Fastify',
      'The same server as a plugin: it takes the paths of the documents, and no other.',
      snippet(
        importing('toFastifyPlugin', `${name}/fastify`),
        importing('createServer, notOffered', `${name}/server`),
        importing('fastify', 'fastify'),
        '',
        ...server,
        'const app = fastify()',
        'app.register(toFastifyPlugin(server))',
        'await app.listen({ port: Number(process.env.PORT ?? 8080) })',
      ),
    ),
  ]
}

/** The same where requests are those of `fetch`. */
export const hono = (name: string, chosen: Chosen): readonly string[] => {
  const server = shortServer(chosen)
  return [
    section(
      'Hono',
      `On Workers, Deno, Bun or Node; handlers find the context of Hono as ${markdownCode('state')}.`,
      snippet(
        importing('createServer, notOffered, toFetchHandler', `${name}/server`),
        importing('Hono', 'hono'),
        '',
        ...server,
        'const handle = toFetchHandler(server)',
        'const app = new Hono()',
        'for (const path of server.paths ?? [])',
        "  app.all(path.replace(/[^/]*\\{([^}]+)\\}[^/]*/g, ':$1'), (c) => handle(c.req.raw, c))",
        'export default app',
      ),
    ),
  ]
}

/** A server of one handler; of none where no answer is shown and none could be made up. */
const shortServer = (chosen: Chosen): readonly string[] => {
  const [handler] = handlersOf(chosen)
  if (handler === undefined) return ['const server = createServer(notOffered)']
  const line = `const server = createServer({ ...notOffered, ${handler.replace(/,$/, '')} })`
  return line.length <= 100 && !/\n|\/\//.test(line)
    ? [line]
    : ['const server = createServer({', '  ...notOffered,', indented(handler), '})']
}
