import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, ran } from '../cli/command.js'
import { CORPORA } from '../conformance/corpora.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HERE = fileURLToPath(new URL('.', import.meta.url))
const DOCUMENTS = join(CORPORA, 'documents')
const run = promisify(execFile)

/** `allowed`: the folder of the owner, where the document refers to files beside its own folder. */
const APIS = {
  bitcoin: { flag: '--openrpc', document: 'openrpc/bitcoin-v28.json' },
  discord: { flag: '--openapi', document: 'openapi/discord.json' },
  openai: { flag: '--openapi', document: 'openapi/openai.yaml' },
  starknet: {
    flag: '--openrpc',
    document: 'openrpc/starknet/api/starknet_api_openrpc.json',
    allowed: 'openrpc/starknet',
  },
  stripe: { flag: '--openapi', document: 'openapi/stripe.json' },
  sui: {
    flag: '--openrpc',
    document: 'openrpc/alchemy/chains/sui/sui.yaml',
    allowed: 'openrpc/alchemy',
  },
} as const

type Ran = { readonly lines: readonly string[]; readonly requests: readonly Request[] }
type Request = { readonly idempotencyKey?: string }

const NOTHING: Ran = { lines: [], requests: [] }

/** By `npm ci --prefix test/programs`. */
const INSTALLED = existsSync(join(HERE, 'node_modules'))

/** What the SDKs of the vendors sent (`package.json` has their versions) to the servers of this folder. */
const captured: Readonly<Record<string, readonly Request[]>> = JSON.parse(
  readFileSync(join(HERE, 'captured.json'), 'utf8'),
)

/** Stripe's SDK makes a random key where none is given. */
const comparable = (requests: readonly Request[]): readonly Request[] =>
  requests.map(({ idempotencyKey, ...request }) =>
    idempotencyKey === undefined || idempotencyKey.startsWith('stripe-node-retry-')
      ? request
      : { ...request, idempotencyKey },
  )

const argsOf = ({ flag, document, ...api }: (typeof APIS)[keyof typeof APIS]) => [
  ...[flag, join(DOCUMENTS, document)],
  ...('allowed' in api ? ['--allow-outside', join(DOCUMENTS, api.allowed)] : []),
]

// Each start loads code of megabytes, which a busy machine does slowly.
const SLOW = { timeout: 900_000 }

describe.skipIf(!existsSync(DOCUMENTS))(
  'programs as the guides of six APIs show them',
  SLOW,
  () => {
    let folder = ''
    const results = new Map<string, Promise<readonly Ran[]>>()

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'twinspec-programs-'))
      await cp(join(HERE, 'sources'), folder, { recursive: true })
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
      await mkdir(join(folder, 'node_modules'))
      await symlink(ROOT, join(folder, 'node_modules/twinspec'))
      await symlink(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
      for (const [name, api] of Object.entries(APIS)) {
        const out = join(folder, 'generated', name)
        const only = ['--only', 'client,server']
        const said = await ran(['generate', ...argsOf(api), ...only, '--out', out])
        expect([name, said.code]).toEqual([name, 0])
      }
    })

    afterAll(() => rm(folder, { recursive: true, force: true }))

    const hosted = async (at: string, ...programs: readonly string[]): Promise<readonly Ran[]> => {
      const loader = join(ROOT, 'node_modules/tsx/dist/loader.mjs')
      const args = ['--import', loader, '-C', 'twinspec-source', 'host.ts', at, ...programs]
      const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 24 })
      return JSON.parse(stdout)
    }
    /** What a program sent, then the SDK of its vendor to the same server, which takes seconds to load. */
    const ranBoth = (name: string): Promise<readonly Ran[]> => {
      const vendor = pathToFileURL(join(HERE, 'vendors', `${name}.mjs`)).href
      const programs = [`${name}.ts`, ...(INSTALLED && name in captured ? [vendor] : [])]
      const result = results.get(name) ?? hosted(`${name}.server.ts`, ...programs)
      results.set(name, result)
      return result
    }
    const program = async (name: string): Promise<Ran> => (await ranBoth(name))[0] ?? NOTHING

    it('compile under all strict flags, with their servers', async () => {
      const config = {
        compilerOptions: {
          ...{ strict: true, noEmit: true, target: 'es2023', module: 'nodenext' },
          ...{ lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'], skipLibCheck: true },
          ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
          ...{ noUnusedLocals: true, customConditions: ['twinspec-source'] },
        },
        include: ['*.ts'],
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error)
      expect(stdout).toBe('')
    })

    it('use no cast and no any, in at most 60 lines each', () => {
      for (const name of Object.keys(APIS)) {
        const text = readFileSync(join(HERE, 'sources', `${name}.ts`), 'utf8')
        const code = text.replace(/\/\*\*.*\*\//g, '')
        expect([name, /\bany\b|\bas (?!const)/.exec(code)?.[0]]).toEqual([name, undefined])
        expect(text.split('\n').length).toBeLessThanOrEqual(60)
      }
    })

    it.each([
      ['openai', ['Arr!', 'Sheep', ' sleep', ' deep', 'file-1: 15 bytes', '4 bytes of speech']],
      [
        'stripe',
        [
          ...['cus_1', 'cus_1: jenny@example.com', 'there are more'],
          'pi_1: requires_payment_method',
        ],
      ],
      [
        'discord',
        [
          ...['1090000000000000001: Shall we?', 'button Yes', 'text a text'],
          'The file hello.txt: 5 bytes',
        ],
      ],
      ['starknet', ['block 0x1', 'invoke with 2 felts', 'no such block: Block not found']],
      ['sui', ['0xa: 1000', '0xb: 2000', '0xc: 3000']],
      [
        'bitcoin',
        [
          ...['bytes: 285', 'height 840000: 1 transactions', 'fee: 0.0001', 'package: success'],
          ...['wtxid0: 00 for 0.00001', 'wtxid1: 01 for 0.00001'],
        ],
      ],
    ])('%s runs against a generated server', async (name, lines) => {
      expect((await program(name)).lines).toEqual(lines)
    })

    it.each(Object.keys(captured))('%s sends what the SDK of its vendor sends', async (name) => {
      const { requests } = await program(name)
      expect(comparable(requests)).toEqual(captured[name])
    })

    it('starknet is called by position as well, as its document allows', async () => {
      const [byPosition] = await hosted('starknet.server.ts', 'starknet-by-position.ts')
      expect(byPosition?.lines).toEqual(['1 transactions'])
    })

    it.each(Object.entries(APIS))(
      '%s runs against the mock of its document, with strict reading',
      async (name, api) => {
        const ending = new AbortController()
        const mock = command(['mock', ...argsOf(api), '--port', '0'], { signal: ending.signal })
        await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
        const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(mock.said.stdout) ?? []
        // The client rejects a response that its document does not describe in full.
        const source = readFileSync(join(HERE, 'sources', `${name}.ts`), 'utf8')
        const strict = source.replace(/Client\(\{/, "Client({ validate: { response: 'strict' },")
        expect(strict).not.toBe(source)
        await writeFile(join(folder, `strict-${name}.ts`), strict)
        const [{ lines, requests } = NOTHING] = await hosted(address, `strict-${name}.ts`)
        ending.abort()
        expect(await mock.code).toBe(0)
        expect(lines).not.toEqual([])
        const sent = (await program(name)).requests
        // The mock needs no second attempt, and the example of Sui is a last page.
        const fewer: Readonly<Record<string, number>> = { stripe: 3, sui: 1 }
        expect(requests.length).toBeGreaterThanOrEqual(fewer[name] ?? sent.length)
      },
    )

    it.skipIf(!INSTALLED).each(Object.keys(captured))(
      'the SDK of %s, where `npm ci` has installed it here, sends what was captured',
      async (name) => {
        const [, { requests } = NOTHING] = await ranBoth(name)
        expect(comparable(requests)).toEqual(captured[name])
      },
    )
  },
)
