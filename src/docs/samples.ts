import { httpCallValues, rpcCallValues } from '../emit/languages/call-values.js'
import type { HttpOperation, RpcOperation } from '../model/api.js'
import { httpCurl, rpcCurl, shownSchemes } from '../model/curl.js'
import type { HttpParameter } from '../model/http-content.js'
import { type ChosenExample, type SampleParams, sampleRequest } from '../model/sample-request.js'
import { isSocketUrl } from '../model/servers.js'
import { isStreamed } from '../model/streams.js'
import type { Server } from '../runtime/operation.js'
import { convert } from '../runtime/shared/exact-integers.js'
import { pointerStep } from '../runtime/shared/pointer.js'
import { fillTemplate } from '../runtime/shared/template.js'
import { bigintPlaces, markedIn, namedPlaces } from '../schema/bigints.js'
import { referredName, type Schema, type Schemas } from '../schema/schema.js'
import { stringLiteral } from '../text/escape.js'
import { type Html, html } from '../text/html.js'
import { isIdentifier } from '../text/names.js'
import { withClients } from './client-languages.js'
import { codeBlock } from './html.js'
import { httpSnippets } from './http-languages.js'
import { rpcSnippets, type Snippet } from './rpc-languages.js'
import type { Site } from './site.js'
import { withoutServers } from './try-data.js'

/** One example of an operation as a call of the generated client, as a curl command, and in other languages. */
export type Sample = {
  /** Undefined if a value that the client requires is unknown. */
  readonly typescript: string | undefined
  /** Undefined for a WebSocket, which curl does not speak. */
  readonly curl: string | undefined
  readonly others: readonly Snippet[]
  /** The parts without an example: the names of parameters, `the body`. */
  readonly madeUp: readonly string[]
}

export function httpSample(
  site: Site,
  declared: HttpOperation,
  example: ChosenExample | undefined,
): Sample {
  const { schemas } = site.api
  const request = sampleRequest(declared, site.madeUp, example, schemas)
  const { operation, sent, madeUp, lacksBody, files } = request
  const server = operation.servers[0] ?? site.api.http?.servers[0]
  const inputs = operation.parameters.filter(
    (one) => !one.secret && (one.required || one.in === 'path'),
  )
  const isKnown = inputs.every((one) => one.examples.length > 0 || takesText(site, one.schema))
  const places = (['path', 'query', 'header', 'cookie'] as const).flatMap((place) => {
    const here = inputs.filter((one) => one.in === place)
    const values = here.map((one) => [one.name, inCode(sampleValue(one), one.schema, schemas)])
    return here.length > 0 ? [[place, Object.fromEntries(values)] as const] : []
  })
  const content = operation.body?.content ?? []
  const usual = content.find(({ codec }) => codec === 'json') ?? content[0]
  const isUsual = !sent || usual?.type === sent.media.type
  const input = Object.fromEntries([
    ...places,
    ...(sent
      ? [['body', withFiles(inCode(sent.example.value, sent.media.schema, schemas), files)]]
      : []),
    ...(isUsual ? [] : [['contentType', sent?.media.type]]),
  ])
  const secrets = [
    ...operation.parameters.flatMap(({ name, secret }) => (secret ? [name] : [])),
    ...secretsOf(server),
  ]
  const auth = [
    ...secrets.map((name) => [name, `YOUR ${name}`]),
    ...shownSchemes(operation).map(([name, { kind }]) => [
      name,
      kind === 'basic' ? { username: 'YOU', password: 'YOUR password' } : `YOUR ${name}`,
    ]),
  ]
  const plain = {
    operation: withoutServers(operation),
    input: Object.fromEntries(places),
    credentials: Object.fromEntries(
      auth.map(([name, value]) => [name, plainSecret(String(name), value)]),
    ),
    sent,
    files,
  }
  const argument = Object.keys(input).length > 0 ? typescript(input) : ''
  const calling = [
    importing(site, 'createHttpClient', 'http'),
    '',
    `const http = createHttpClient(${options(server, auth)})`,
    ...(isStreamed(operation, sent?.example.value)
      ? [
          `for await (const item of await http.${operation.id}(${argument})) {`,
          '  console.log(item)',
          '}',
        ]
      : [`const answer = await http.${operation.id}(${argument})`]),
  ].join('\n')
  return {
    curl: httpCurl(addressOf(server), operation, sent, { indent: 2 }).join(CONTINUED),
    typescript: isKnown && !lacksBody ? calling : undefined,
    others: lacksBody
      ? []
      : withClients(
          httpSnippets(plainAddress(server), plain),
          site,
          declared,
          httpCallValues(request, schemas),
          clientFor(
            server,
            auth.map(([name]) => String(name)),
          ),
        ),
    madeUp,
  }
}

/** A sample in each language; the page's script shows one of them at a time. */
export function codeSamples(name: string, { typescript, curl, others }: Sample): Html {
  const all: readonly Snippet[] = [
    ...(typescript === undefined ? [] : [{ language: 'TypeScript', text: typescript }]),
    ...(curl === undefined ? [] : [{ language: 'curl', text: curl }]),
    ...others,
  ]
  const blocks = all.map(({ language, text }) =>
    codeBlock(`${language}, ${name}`, MARKED[language] ?? 'text', text, language),
  )
  return html`<div class="code-samples">${blocks}</div>`
}

const MARKED: Readonly<Record<string, 'ts' | 'sh'>> = { TypeScript: 'ts', curl: 'sh', wscat: 'sh' }

/** A placeholder for the bytes of a file in sample code. */
const FILE = Symbol('file')

const withFiles = (body: unknown, files: readonly string[]): unknown =>
  files.length === 0 || typeof body !== 'object' || body === null
    ? body
    : Object.fromEntries(
        Object.entries(body).map(([name, value]) => {
          if (!files.includes(name)) return [name, value]
          return [name, Array.isArray(value) ? value.map(() => FILE) : FILE]
        }),
      )

/** The first example of a parameter, or a placeholder. */
const sampleValue = ({ name, examples }: HttpParameter): unknown =>
  examples.length > 0 ? examples[0]?.value : `YOUR ${name}`

const takesText = ({ api }: Site, schema: Schema): boolean => {
  const name = referredName(schema)
  const own = name === undefined ? schema : api.schemas.get(name)?.schema
  return typeof own === 'object' && own.type === 'string' && !own.enum && own.const === undefined
}

export function rpcSample(
  site: Site,
  operation: RpcOperation,
  example: SampleParams,
): Sample & { readonly typescript: string } {
  const { servers = [] } = site.api.rpc ?? {}
  const [server] = servers
  // A server of HTTP is one that programs without a WebSocket can call.
  const posted = servers.find(({ url }) => !isSocketUrl(url)) ?? server
  const isSocket = isSocketUrl(posted?.url)
  const isNamed = operation.paramStructure === 'by-name'
  const params = isNamed ? example.namedParams : example.params
  const { schemas } = site.api
  const values = example.params.map((value, at) =>
    inCode(value, operation.params[at]?.schema ?? true, schemas),
  )
  const named = operation.params.map(({ name, schema }) => [name, schema] as const)
  const object = inCode(params, { properties: Object.fromEntries(named) }, schemas)
  const inputs = isNamed ? [typescript(object)] : values.map((value) => typescript(value))
  const auth = secretsOf(server).map((name) => [name, `YOUR ${name}`])
  const request = rpcRequest(operation, example)
  const command = rpcCurl(addressOf(posted), request, { indent: 2 }).join(CONTINUED)
  return {
    curl: isSocket ? undefined : command,
    typescript: [
      importing(site, 'createRpcClient', 'rpc'),
      '',
      `const rpc = createRpcClient(${options(server, auth)})`,
      `const result = await rpc.${operation.id}(${listed(inputs)})`,
    ].join('\n'),
    others: isSocket
      ? [{ language: 'wscat', text: command }]
      : withClients(
          rpcSnippets(plainAddress(posted), request),
          site,
          operation,
          rpcCallValues(operation, example),
          clientFor(posted, secretsOf(posted)),
        ),
    madeUp: [],
  }
}

/** A server by its name, or by a placeholder for its address. */
const clientFor = (server: Server | undefined, secrets: readonly string[]) => ({
  server: server && isAbsolute(server.url) ? server.name : serverHere(server),
  secrets,
})

const rpcRequest = (operation: RpcOperation, { params, namedParams }: SampleParams) => ({
  jsonrpc: '2.0',
  id: 1,
  method: operation.method,
  params: operation.paramStructure === 'by-name' ? namedParams : params,
})

const CONTINUED = ' \\\n  '

/** The URL of a server, with the defaults of all variables that are not secret. */
const addressOf = (server: Server | undefined): string => {
  const url = server?.url ?? '/'
  const { variables = {} } = server ?? {}
  const filled = fillTemplate(url, (name, whole) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    return variable === undefined || variable.secret ? whole : variable.default
  })
  return isAbsolute(filled) ? filled.replace(/\/$/, '') : `{server}${belowHost(filled)}`
}

/** A placeholder URL for a server that is declared only by its path. */
const serverHere = (server: Server | undefined): string =>
  `https://YOUR server${addressOf(server).replace(/^\{server\}/, '')}`

/** A placeholder for a secret, without blanks, which would be encoded. */
const plainSecret = (name: string, value: unknown) =>
  typeof value === 'string' ? yours(name) : { username: 'YOU', password: 'YOUR_PASSWORD' }

const yours = (name: string): string => `YOUR_${name.replace(/\W+/g, '_').toUpperCase()}`

/** The URL of a server for languages without shell variables: placeholders begin with YOUR. */
const plainAddress = (server: Server | undefined): string =>
  fillTemplate(addressOf(server).replace(/^\{server\}/, 'https://YOUR_SERVER'), yours)

/** `/api/v2/` and `api/v2` -> `/api/v2`. */
const belowHost = (url: string): string => {
  const path = url.replace(/^\.?\/*/, '').replace(/\/$/, '')
  return path === '' ? '' : `/${path}`
}

const isAbsolute = (url: string): boolean => /^(?:https?|wss?):/i.test(url)

const secretsOf = (server: Server | undefined): readonly string[] =>
  Object.entries(server?.variables ?? {}).flatMap(([name, { secret }]) => (secret ? [name] : []))

const importing = ({ options }: Site, name: string, part: 'http' | 'rpc'): string => {
  const from =
    options.packageName === undefined
      ? `./generated/${part}.client.js`
      : `${options.packageName}/${part}`
  return `import { ${name} } from ${stringLiteral(from)}`
}

const options = (server: Server | undefined, auth: readonly (readonly unknown[])[]): string =>
  typescript({
    server: server && isAbsolute(server.url) ? server.name : serverHere(server),
    ...(auth.length > 0 && { auth: Object.fromEntries(new Map(auth as [string, unknown][])) }),
  })

/** Call arguments; one per line if they are too long together. */
const listed = (inputs: readonly string[]): string => {
  const flat = inputs.join(', ')
  if (flat.length <= WIDTH - 8 || (inputs.length === 1 && flat.includes('\n'))) return flat
  return `\n${inputs.map((one) => `  ${one.replaceAll('\n', '\n  ')},\n`).join('')}`
}

/** A value in the types of generated code: with bigints where the document marks them. */
const inCode = (value: unknown, schema: Schema, schemas: Schemas): unknown => {
  const places = bigintPlaces(schema, markedIn(schemas))
  const named = namedPlaces(places, schemas)
  return convert(value, { places, named }, pointerStep).value
}

/** A value as a TypeScript expression, on one line if it is short. */
function typescript(value: unknown, indent = ''): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (value === FILE) return "new File(['YOUR bytes'], 'file')"
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const isList = Array.isArray(value)
  const deeper = `${indent}  `
  const members = isList
    ? value.map((item) => typescript(item, deeper))
    : Object.entries(value).map(([key, item]) => `${keyOf(key)}: ${typescript(item, deeper)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return open + close
  const flat = isList ? `[${members.join(', ')}]` : `{ ${members.join(', ')} }`
  if (flat.length + indent.length <= WIDTH && !flat.includes('\n')) return flat
  return [open, ...members.map((member) => `${deeper}${member},`), `${indent}${close}`].join('\n')
}

/** Characters per line that fit the column of samples. */
const WIDTH = 54

const keyOf = (key: string): string => {
  if (key === '__proto__') return "['__proto__']"
  return isIdentifier(key) ? key : stringLiteral(key)
}
