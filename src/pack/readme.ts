import { literal, string } from '../emit/file.js'
import type { Api, HttpOperation, Operation, OutgoingRequest, RpcOperation } from '../model/api.js'
import { isOnlySent } from '../model/outgoing.js'
import { type SampleParams, sampleParams, sampleRequest } from '../model/sample-request.js'
import type { Server } from '../runtime/operation.js'
import { fillTemplate } from '../runtime/shared/template.js'
import { withoutTrailingSlashes } from '../runtime/shared/trailing.js'
import { isSuccessKey } from '../runtime/wire/status.js'
import { createSampler, type Sampler } from '../schema/readable.js'
import {
  markdownBlock,
  markdownCell,
  markdownCode,
  markdownText,
  memberName,
} from '../text/escape.js'
import type { Manifest } from './manifest.js'
import type { PackagePart } from './parts.js'

/**
 * README.md of a package: how to install and call it, with code that runs unchanged. The values are those of the reference:
 * examples of the documents, or generated values.
 */
export const writeReadme = (
  api: Api,
  { manifest, parts }: { readonly manifest: Manifest; readonly parts: readonly PackagePart[] },
): string => {
  const has = (entry: string) => parts.some((part) => part.entry === entry)
  const makeUp = createSampler(api.schemas)
  const calls = [
    has('./rpc') && firstOf(api.operations, 'rpc', (one) => rpcCall(one, makeUp)),
    has('./http') && firstOf(api.operations, 'http', (one) => httpCall(one, makeUp)),
  ].filter((one) => typeof one === 'object')
  const sections = [
    head(api, manifest.name),
    ...(calls.length > 0 ? [firstCalls(api, manifest.name, calls)] : []),
    ...(has('./server') ? [server(manifest.name, calls, makeUp)] : []),
    ...(api.outgoing[0] && has('./webhooks') ? [webhooks(manifest.name, api.outgoing[0])] : []),
    contents(manifest.name, parts),
    requirements(manifest),
    section(
      'Licence',
      `${markdownCode(manifest.license)}; the text is in ${markdownCode('LICENSE')}.`,
    ),
  ]
  return `${sections.join('\n\n')}\n`
}

/** A call of a client, with its arguments as code. */
type Call = {
  readonly operation: Operation
  readonly args: string
  /** The documents have no example for it. */
  readonly isMadeUp: boolean
}

const head = (api: Api, name: string): string => {
  const documents = [api.http, api.rpc].flatMap((one) => (one ? [one] : []))
  const titles = documents.map(({ kind, title, bundled, version }) => {
    const { info } = bundled as { readonly info?: { readonly version?: unknown } }
    // A document may have no version.
    const shown = info?.version === undefined ? '' : ` ${markdownCode(version)}`
    return `${markdownText(title)}${shown} (${kind === 'http' ? 'HTTP' : 'JSON-RPC'})`
  })
  return [
    // As text, the name of a scope would be escaped so that it is no mention.
    `# ${markdownCode(name)}`,
    `${isOnlySent(api) ? 'Types, validators and a receiver of the webhooks' : 'Clients, types, validators and server stubs'} of ${titles.join(' and ')}.`,
    `\`\`\`sh\nnpm install ${name}\n\`\`\``,
    'The code below reads `process.env`, whose types come from `npm install --save-dev @types/node`.',
  ].join('\n\n')
}

const firstCalls = (api: Api, name: string, calls: readonly Call[]): string => {
  const addresses = calls.map(
    ({ operation: { kind } }) => `${VARIABLES[kind]}=${localAddress(api, kind)}`,
  )
  return section(
    'A first call',
    ...calls.map(({ operation, args, isMadeUp }) => {
      const { kind, id } = operation
      const create = kind === 'http' ? 'createHttpClient' : 'createRpcClient'
      return snippet(
        `import { ${create} } from '${name}/${kind}'`,
        '',
        `const ${kind} = ${create}(${clientOptions(api, operation)})`,
        ...(isMadeUp ? ['// The values are generated: the documents have no examples.'] : []),
        `console.log(await ${kind}.${id}(${args}))`,
      )
    }),
    `Set the address of another server in the environment, with its path: ${addresses.map(markdownCode).join(', ')}. ` +
      'Requests are validated before they are sent. A response that fails validation throws a `CallError` that lists every error. ' +
      'Credentials go into `auth`, by their names in the documents, as text or as a function that returns it; no error shows them.',
  )
}

const server = (name: string, calls: readonly Call[], makeUp: Sampler): string =>
  section(
    'A server',
    `The compiler asks for a handler of each operation; ${markdownCode('notOffered')} rejects those that are still to be written. ${markdownCode('toFetchHandler(server)')} is for runtimes with ${markdownCode('Request')} and ${markdownCode('Response')}.`,
    snippet(
      `import { createServer as listen } from 'node:http'`,
      `import { createServer, notOffered, toNodeListener } from '${name}/server'`,
      '',
      'const server = createServer({',
      '  ...notOffered,',
      ...calls.flatMap(({ operation }) => {
        const value =
          operation.kind === 'http' ? httpReply(operation, makeUp) : rpcResult(operation, makeUp)
        return value === undefined ? [] : [`  ${operation.id}: () => (${written(value)}),`]
      }),
      '})',
      'listen(toNodeListener(server)).listen(Number(process.env.PORT ?? 8080))',
    ),
  )

const webhooks = (name: string, { id }: OutgoingRequest): string =>
  section(
    'Webhooks',
    `The receiver checks the signature of Standard Webhooks; the option ${markdownCode('scheme')} has others. It validates the payload before it calls its handler.`,
    snippet(
      `import { createServer as listen } from 'node:http'`,
      `import { createWebhooks, toNodeListener } from '${name}/webhooks'`,
      '',
      'const webhooks = createWebhooks(',
      `  { ${id}: (payload) => console.log(payload) },`,
      "  { secret: process.env.WEBHOOK_SECRET ?? '' },",
      ')',
      'listen(toNodeListener(webhooks.core())).listen(Number(process.env.PORT ?? 8080))',
    ),
  )

const contents = (name: string, parts: readonly PackagePart[]): string =>
  section(
    'Contents',
    'The package has no main module. Import a part of it by its path:',
    table(
      ['import', 'content'],
      parts.map(({ entry, gives }) => [
        markdownCode(entry.replace(/^\./, name)),
        markdownText(gives),
      ]),
    ),
  )

const requirements = ({ engines, peerDependencies = {} }: Manifest): string => {
  const peers = Object.entries(peerDependencies).map(([name, range]) =>
    markdownCode(`${name}@${range}`),
  )
  const node = (engines as { readonly node?: string } | undefined)?.node?.replace('>=', '')
  return section(
    'Requirements',
    `ES modules for Node${node === undefined ? '' : ` ${node} or newer`}, Bun, Deno and browsers, also where a policy forbids \`eval\`. TypeScript 5 reads the types with \`moduleResolution\` \`bundler\`, \`node16\` or \`nodenext\`.`,
    ...(peers.length > 0
      ? [`Optional, for the parts that adapt to them: ${peers.join(', ')}.`]
      : []),
  )
}

/** The easiest call to try: it only reads, its values are documented, and it needs no key. */
const firstOf = <K extends Operation['kind']>(
  operations: readonly Operation[],
  kind: K,
  callOf: (operation: Extract<Operation, { kind: K }>) => Call | undefined,
): Call | undefined => {
  const ranked = operations.flatMap((one) => {
    const call = one.kind === kind ? callOf(one as Extract<Operation, { kind: K }>) : undefined
    return call ? [{ call, rank: rankOf(call) }] : []
  })
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))[0]?.call
}

/** A digit for each criterion, the most important first; the smallest rank is best. */
const rankOf = ({ operation, isMadeUp }: Call): string => {
  const isHttp = operation.kind === 'http'
  const isRead = isHttp ? operation.method === 'GET' : operation.idempotent
  const inputs = isHttp
    ? operation.parameters.filter(({ required }) => required).length + (operation.body ? 1 : 0)
    : operation.params.length
  const outcomes = isHttp ? [] : operation.examples.map(({ outcome }) => outcome)
  const isFailing = outcomes.some(({ kind }) => kind === 'error')
  const isLong = outcomes.some((one) => one.kind === 'result' && typeof one.value === 'object')
  const isUnsure = operation.deprecated || /alpha|draft/.test(operation.stability ?? '')
  return [
    ...[
      !isRead,
      isHttp && !plainReply(operation)?.media,
      isMadeUp,
      operation.access === 'key',
      isUnsure,
    ],
    ...[isHttp && operation.security.length > 0, isFailing, isLong],
  ]
    .map(Number)
    .concat(Math.min(inputs, 9))
    .join('')
}

const rpcCall = (operation: RpcOperation, makeUp: Sampler): Call | undefined => {
  const shown = operation.examples.find(({ outcome }) => outcome.kind !== 'error')
  const chosen: SampleParams | undefined = shown ?? sampleParams(operation, makeUp)
  if (chosen === undefined) return undefined
  const { params, namedParams } = chosen
  const isNamed = operation.paramStructure === 'by-name'
  const args = isNamed
    ? Object.keys(namedParams).length > 0 && written(namedParams)
    : params.map(written).join(', ')
  return { operation, args: args || '', isMadeUp: shown === undefined && args !== '' }
}

const httpCall = (called: HttpOperation, makeUp: Sampler): Call | undefined => {
  // A value for all variants at once would be a mixture that does not compile.
  if (called.variants.length > 0) return undefined
  const media = called.body?.content.find(({ codec }) => codec === 'json')
  const [example] = media?.examples ?? []
  const chosen = media && example && { media, example }
  const { operation, sent, madeUp, lacksBody, files } = sampleRequest(called, makeUp, chosen)
  const needed = operation.parameters.filter(({ required, secret }) => required && !secret)
  if (lacksBody || files.length > 0 || needed.some(({ examples }) => examples.length === 0))
    return undefined
  const input: Record<string, unknown> = {}
  for (const { in: place, name, examples } of needed) {
    input[place] = { ...(input[place] as object | undefined), [name]: examples[0]?.value }
  }
  if (sent) input.body = sent.example.value
  const args = Object.keys(input).length > 0 ? written(input) : ''
  return { operation: called, args, isMadeUp: madeUp.length > 0 }
}

const rpcResult = ({ examples, result }: RpcOperation, makeUp: Sampler): unknown => {
  const outcome = examples.find((one) => one.outcome.kind === 'result')?.outcome
  return outcome?.kind === 'result' ? outcome.value : makeUp(result.schema)
}

const httpReply = (operation: HttpOperation, makeUp: Sampler): unknown => {
  const reply = plainReply(operation)
  if (!reply) return undefined
  const { status, media } = reply
  if (!media) return { status: Number(status) }
  const body = media.examples[0] ? media.examples[0].value : makeUp(media.schema)
  return body === undefined ? undefined : { status: Number(status), body }
}

/** A success with a JSON body or without one, and without headers that a handler must set. */
const plainReply = ({ responses }: HttpOperation) =>
  responses.flatMap(({ status, headers, content: [media] }) => {
    const isPlain =
      isSuccessKey(status) && /^\d+$/.test(status) && !headers.some(({ required }) => required)
    return isPlain && (!media || media.codec === 'json') ? [{ status, media }] : []
  })[0]

/** The base URL of a client, which an environment variable overrides, and the credentials of a call. */
const clientOptions = (api: Api, operation: Operation): string => {
  const { kind } = operation
  const first = api[kind]?.servers[0]
  const isNamed = first !== undefined && /^https?:\/\//.test(filled(first, () => ''))
  const usual = isNamed ? first.name : localAddress(api, kind)
  const variables = api[kind]?.servers.flatMap((one) => Object.entries(one.variables)) ?? []
  const secrets = [
    ...variables.flatMap(([name, { secret, default: value }]) =>
      secret && value === '' ? [[name, KEY] as const] : [],
    ),
    ...(operation.kind === 'http' ? httpSecrets(operation) : []),
  ]
  const auth = [...new Map(secrets)].map(([name, value]) => `${memberName(name)}: ${value}`)
  const authText = auth.length === 0 ? '' : `, auth: { ${auth.join(', ')} }`
  return `{ server: process.env.${VARIABLES[kind]} ?? ${string(usual)}${authText} }`
}

/** Secret parameters, and the credentials of the first alternative. */
const httpSecrets = ({ parameters, security, schemes }: HttpOperation) => [
  ...parameters.flatMap(({ name, secret }) => (secret ? [[name, KEY] as const] : [])),
  ...(security[0] ?? []).flatMap((name) => {
    const kind = schemes[name]?.kind
    if (kind === undefined || kind === 'outside') return []
    return [[name, kind === 'basic' ? `{ username: 'me', password: ${KEY} }` : KEY] as const]
  }),
]

const KEY = `process.env.API_KEY ?? 'my-key'`

const VARIABLES = { http: 'HTTP_SERVER', rpc: 'RPC_SERVER' } as const

/** The path of the first server on the loopback address; its secrets stay `{name}`. */
const localAddress = (api: Api, kind: 'http' | 'rpc'): string => {
  const first = api[kind]?.servers[0]
  const url = first ? filled(first, (name) => `{${name}}`) : ''
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '')
  const { pathname } = new URL(URL.canParse(path, LOCAL) ? path : '/', LOCAL)
  return `${LOCAL}${withoutTrailingSlashes(pathname.replaceAll('%7B', '{').replaceAll('%7D', '}'))}`
}

const LOCAL = 'http://127.0.0.1:8080'

/** The URL of a server with the defaults of its variables. */
const filled = ({ url, variables }: Server, secret: (name: string) => string): string =>
  fillTemplate(url, (name) => {
    const variable = variables[name]
    return variable === undefined || variable.secret ? secret(name) : variable.default
  })

const written = (value: unknown): string => literal(value, 20).text

const section = (title: string, ...parts: readonly string[]): string =>
  [`## ${title}`, ...parts].join('\n\n')

const snippet = (...lines: readonly string[]): string => markdownBlock('ts', lines.join('\n'))

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
  [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(markdownCell).join(' | ')} |`)
    .join('\n')
