import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsBy } from './declarations.js'
import { installed, lend, NAME, ROOT } from './packed.js'

let app = ''

/** A copy, since others use theirs without what is lent here. */
beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'declarations-'))
  await cp(await installed(), app, { recursive: true })
  await lend(app, ['typebox'])
})

afterAll(() => rm(app, { recursive: true, force: true }))

test.each([
  ['node16', { module: 'node16', moduleResolution: 'node16' }],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
])(
  'its declarations hold where libraries are checked too, with %s',
  async (name, resolution) => {
    const config = { compilerOptions: { ...STRICT, ...resolution }, files: [`${name}.ts`] }
    await writeFile(join(app, `${name}.ts`), CONSUMER)
    await writeFile(join(app, `${name}.json`), JSON.stringify(config))
    expect(faultsBy(join(app, `${name}.json`))).toEqual([])
  },
  900_000,
)

const STRICT = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  resolveJsonModule: true,
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
}

/** Each part is used once, and what must not compile is said to. */
const CONSUMER = `import { createHttpClient, isHttpError } from '${NAME}/http'
import type { components } from '${NAME}/http.types'
import { createRpcClient } from '${NAME}/rpc'
import { portLink } from '${NAME}/runtime/links/port'
import { RpcError } from '${NAME}/errors'
import { createRpcConnection, ethGetBalance } from '${NAME}/rpc/methods'
import { AbiParameter } from '${NAME}/schemas'
import { createServer, notOffered } from '${NAME}/server'
import { AbiConstructor } from '${NAME}/validators'

const http = createHttpClient({ server: 'testnet', auth: { apiKey: 'k' } })
export const submitted: Promise<string | null | undefined> = http
  .submitZkt({ body: { arguments: 'hello' } })
  .then(({ hash }) => hash)
// @ts-expect-error a mixture of two forms
http.submitZkt({ body: { arguments: 'hello', code: 'contract A {}' } })
const rpc = createRpcClient({ server: 'mainnet', auth: { apiKey: 'k' } })
export const balance: Promise<string> = rpc.ethGetBalance('0x${'00'.repeat(20)}', 'latest')
// @ts-expect-error a number is no address
rpc.ethGetBalance(1)
export const overPort = (port: MessagePort) => createRpcClient({ link: portLink(port) })
const connection = createRpcConnection({ server: 'mainnet' })
export const single: Promise<string> = ethGetBalance(connection, '0x${'00'.repeat(20)}', 'latest')
// @ts-expect-error a number is no address
ethGetBalance(connection, 1)
// @ts-expect-error a method needs what it is called through
ethGetBalance('0x${'00'.repeat(20)}')
export const server = createServer({
  ...notOffered,
  ethChainId: () => { throw new RpcError({ code: 3, message: 'no' }) },
})
export const messageIn = (error: unknown): string | undefined =>
  isHttpError(error, 'submitZkt', 400) ? error.body.error : undefined
export const named: components['schemas']['AbiConstructor'] | undefined = undefined
export const holds: boolean = AbiConstructor.check({})
export const schema = AbiParameter
`
