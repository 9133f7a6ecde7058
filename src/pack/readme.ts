import type { Api } from '../model/api.js'
import { markdownCode, markdownText } from '../model/escape.js'
import { chooseCalls } from './readme/choose.js'
import { batches, firstCalls, oneMethod, rpcRefusals } from './readme/clients.js'
import type { Inside } from './readme/inside.js'
import { keys } from './readme/keys.js'
import { contracts, eip1193, fastify, hono, viem } from './readme/libraries.js'
import { msw } from './readme/msw.js'
import { licence, needs, runtimes } from './readme/needs.js'
import { server } from './readme/server.js'
import { schemas, validators } from './readme/values.js'
import { polling, variants } from './readme/variants-and-polling.js'
import { weights } from './readme/weight.js'

/**
 * README.md of a package: how it is installed, called, checked with and served by, with code that runs as it stands, of the
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
    ...(has('./runtime/rpc') && has('./operations') ? oneMethod(api, name, chosen) : []),
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
