import type { Api } from '../model/api.js'
import { markdownCell, markdownCode, markdownText } from '../model/escape.js'
import { chooseCalls } from './readme/choose.js'
import { batches, firstCalls, oneMethod, rpcRefusals } from './readme/clients.js'
import type { Inside } from './readme/inside.js'
import { contracts, eip1193, fastify, hono, viem } from './readme/libraries.js'
import { msw } from './readme/msw.js'
import { authOf, httpSecrets, rpcSecrets, serverOf } from './readme/place.js'
import { importing, section, snippet } from './readme/section.js'
import { server } from './readme/server.js'
import { schemas, validators } from './readme/values.js'
import { polling, variants } from './readme/variants-and-polling.js'
import { kilobytes, weights } from './readme/weight.js'

/**
 * README.md of a package: how it is installed, called, checked with and served by, with code that runs as it is, of the
 * operations and the examples of the documents; what each part weighs, and what it needs.
 */
export const writeReadme = (api: Api, inside: Inside): string => {
  const { manifest, parts } = inside
  const { name } = manifest
  const has = (entry: string) => parts.some((part) => part.entry === entry)
  const all = chooseCalls(api)
  const chosen = {
    ...all,
    methods: has('./rpc') ? all.methods : [],
    operations: has('./http') ? all.operations : [],
    refusal: has('./rpc') ? all.refusal : undefined,
  }
  const sections = [
    ...firstCalls(api, name, chosen),
    ...rpcRefusals(api, name, chosen),
    ...batches(api, name, chosen),
    ...(has('./http') ? [...variants(api, name), ...polling(api, name)] : []),
    ...keys(api, name, has),
    ...(has('./rpc/methods') ? oneMethod(api, name, chosen) : []),
    ...(has('./explanations') ? validators(api, name, chosen) : []),
    ...(has('./schemas') ? schemas(api, name, chosen) : []),
    ...(has('./server') ? server(name, chosen) : []),
    ...(has('./server') && has('./fastify') ? fastify(name, chosen) : []),
    ...(has('./server') ? hono(name, chosen) : []),
    ...(has('./viem') ? viem(api, name, chosen) : []),
    ...(has('./eip1193') ? eip1193(api, name) : []),
    ...(has('./contracts') ? contracts(api, name) : []),
    ...(has('./msw') ? msw(api, name, chosen) : []),
    weights(inside),
  ]
  const others = inside.files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const written = (bytes: number): string =>
    `${[head(api, name), ...sections, needs(inside, bytes), runtimes(inside), licence(inside)].join('\n\n')}\n`
  // It tells what the package weighs, and is itself a part of that.
  return written(others + Buffer.byteLength(written(others)))
}

const head = (api: Api, name: string): string =>
  [
    `# ${markdownText(name)}`,
    `Clients, types, validators and server stubs of ${described(api)}.`,
    `\`\`\`sh\nnpm install ${name}\n\`\`\``,
    'The code below reads `process.env`, which TypeScript knows by `npm install --save-dev @types/node`.',
  ].join('\n\n')

const described = ({ http, rpc }: Api): string =>
  [http && (['HTTP', http] as const), rpc && (['JSON-RPC', rpc] as const)]
    .flatMap((one) =>
      one ? [`${markdownText(one[1].title)}${versionOf(one[1])} (${one[0]})`] : [],
    )
    .join(' and ')

/** As the document has it, which may have none. */
const versionOf = ({ bundled, version }: Described): string => {
  const { info } = bundled as { readonly info?: { readonly version?: unknown } }
  return info?.version === undefined ? '' : ` ${markdownCode(version)}`
}

type Described = { readonly bundled: unknown; readonly version: string }

/** Where credentials go; nothing where the documents know none. */
const keys = (api: Api, name: string, has: (entry: string) => boolean): readonly string[] => {
  const http = has('./http')
    ? authOf(httpSecrets(api.operations.filter((one) => one.kind === 'http')))
    : undefined
  const rpc = has('./rpc') ? authOf(rpcSecrets(api, 'all')) : undefined
  if (http === undefined && rpc === undefined) return []
  const lines = [
    ...(http === undefined ? [] : [importing('createHttpClient', `${name}/http`)]),
    ...(rpc === undefined ? [] : [importing('createRpcClient', `${name}/rpc`)]),
    '',
    ...(http === undefined
      ? []
      : [
          `export const http = createHttpClient({ server: ${serverOf(api, 'http')}, auth: ${http} })`,
        ]),
    ...(rpc === undefined
      ? []
      : [`export const rpc = createRpcClient({ server: ${serverOf(api, 'rpc')}, auth: ${rpc} })`]),
  ]
  return [
    section(
      'Where a key goes',
      'Into `auth`, by the name that the documents have for it, as it is or as a function that gives it (called again for each call). No error shows it. Who needs none leaves it out.',
      snippet(...lines),
    ),
  ]
}

/** What npm installs with the package, which has so many bytes, and what it leaves to users who need it. */
const needs = ({ manifest, weights }: Inside, own: number): string => {
  const { peerDependencies = {} } = manifest
  const rows = [
    `| this package | ${kilobytes(own)} | |`,
    ...Object.entries(peerDependencies).map(([name, range]) =>
      row(name, range, 'optional: install it for the part that asks for it'),
    ),
  ]
  function row(name: string, range: string, when: string): string {
    const weight = weights.get(name)
    return `| ${markdownCell(markdownCode(`${name}@${range}`))} | ${weight === undefined ? 'not measured' : kilobytes(weight)} | ${when} |`
  }
  return section(
    'What it needs',
    'In kilobytes as they lie in `node_modules`, with what they bring.',
    ['| package | kilobytes | |', '| --- | ---: | --- |', ...rows].join('\n'),
  )
}

const runtimes = ({ manifest }: Inside): string => {
  const node = manifest.engines?.node
  return section(
    'Where it runs',
    `ES modules for Node${node === undefined ? '' : ` ${node.replace('>=', '')} or newer`}, Bun, Deno and browsers by any bundler, also where a policy forbids \`eval\`. TypeScript 5 reads the types with \`moduleResolution\` \`bundler\`, \`node16\` or \`nodenext\`.`,
  )
}

const licence = ({ manifest }: Inside): string =>
  section(
    'Licence',
    `${markdownCode(manifest.license)}; the text is in ${markdownCode('LICENSE')}.`,
  )
