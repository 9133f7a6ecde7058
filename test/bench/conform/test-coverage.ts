import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { KEY } from '../../conform/seeded/clean-server.js'
import { smallDocuments } from '../../conform/seeded/small-api.js'
import { install } from '../install.js'
import type { Side } from './side.js'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** The folder's packages, installed where they are not. */
export const installed = async (): Promise<NodeJS.Require> => {
  if (!existsSync(`${HERE}node_modules`)) await install(HERE, 'the other two checkers (60 MB)')
  return createRequire(import.meta.url)
}

/** `@open-rpc/test-coverage` with both of its rules, as its command line runs it. */
export const testCoverage = async (): Promise<Side> => {
  const require = await installed()
  const { default: cover } = require('@open-rpc/test-coverage/build/coverage') as {
    readonly default: (options: object) => Promise<readonly Call[]>
  }
  const { default: transport } = require('@open-rpc/test-coverage/build/transports/HTTPTransport')
  const document = resolved(JSON.parse(smallDocuments.openrpc))
  return {
    name: '@open-rpc/test-coverage',
    complaints: async (url) => {
      const servers = [{ name: 'this', url: `${url}/zgt/${encodeURIComponent(KEY)}` }]
      const openrpcDocument = { ...document, servers }
      const options = { openrpcDocument, transport, reporters: [], skip: [], only: [] }
      const calls = await inTime(cover(options))
      return new Set(
        calls === undefined
          ? ['no end']
          : calls.flatMap(({ methodName, title, params, valid }) =>
              valid === false ? [`${methodName} ${title} ${JSON.stringify(params)}`] : [],
            ),
      )
    },
    stop: async () => undefined,
  }
}

/**
 * Its own reader refuses OpenRPC 1.3.2 and examples of refusals, and does not come to an end with these references: it is
 * given methods in which all of them are followed.
 */
const resolved = (document: Fields): Fields => {
  const at = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((value, step) => (value as Fields)[step], document)
  const followed = (value: unknown, inside: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one) => followed(one, inside))
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as Fields
    if (typeof $ref !== 'string')
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, followed(one, inside)]),
      )
    return inside.includes($ref) ? {} : followed(at($ref), [...inside, $ref])
  }
  const methods = (document.methods as readonly Fields[]).map((one) => {
    const method = followed(one, []) as Fields & { readonly examples?: readonly object[] }
    return { ...method, examples: method.examples?.filter((example) => 'result' in example) }
  })
  return { ...document, methods }
}

type Fields = Readonly<Record<string, unknown>>

type Call = {
  readonly methodName: string
  readonly title: string
  readonly params: unknown
  readonly valid?: boolean
}

/** Undefined where it waits for what never comes. */
export const inTime = <T>(promise: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), 10_000)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
