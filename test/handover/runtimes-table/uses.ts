/** A program that uses a part of the package, and what it has to print. */
export type Use = {
  /** As the table names it: an entry of `exports`, maybe with what it is used in. */
  readonly name: string
  /** An entry of the package's `exports`. */
  readonly part: string
  /** A module of `programs/`, without `.js`. */
  readonly program: string
  /** As JSON has it. */
  readonly wanted: unknown
  /** Platform -> what whoever uses it there has to know, in a sentence. */
  readonly remarks?: Readonly<Record<string, string>>
  /** Platform, or id of a runtime -> why it is not meant for it, in a sentence. */
  readonly notIn?: Readonly<Record<string, string>>
}

/** The uses of each part that the package has, in its order; the names of parts without any. */
export const usesOf = (parts: readonly string[]): { uses: readonly Use[]; unused: string[] } => ({
  uses: parts.flatMap((part) => USES.filter((use) => use.part === part)),
  unused: parts.filter((part) => !USES.some((use) => use.part === part)),
})

/** Of `programs/served.js`. */
const SERVED = {
  batch: [
    [1, '0x133edcb'],
    ['b', -32000],
  ],
  status: 'pending',
  refused: 400,
  elsewhere: 404,
}

const STATUS_PATH = '/gtn/v1/zkt/transaction/{queueId}'
const HTTP_PATHS = ['/zkt/try-it-out', '/zkt/{apiKey}', STATUS_PATH]

const use = (part: string, program: string, wanted: unknown, more: Partial<Use> = {}): Use => ({
  name: `\`${part}\``,
  part,
  program,
  wanted,
  ...more,
})

const USES: readonly Use[] = [
  use('./client', 'client', { chainId: '0x133edcb', queueId: 36 }),
  use('./http', 'http', {
    queueId: 36,
    states: ['pending', 'completed'],
    refused: 'Transaction not found',
    unsent: ['CallError', true],
  }),
  use('./http/calls', 'http-calls', 36),
  use('./rpc', 'rpc', {
    chainId: '0x133edcb',
    batch: ['0x133edcb', '0x10'],
    refused: 'header not found',
    unsent: 'CallError',
    late: 'CallError',
    nowhere: 'CallError',
  }),
  use('./rpc/methods', 'rpc-methods', ['0x133edcb', ['0x133edcb', '0x10']]),
  use('./client-package', 'client-package', '@acme/zkt/0.1.0'),
  use('./server', 'server', [SERVED]),
  use('./server', 'server-in-hono', SERVED, { name: '`./server` in Hono' }),
  use('./validators', 'validators', { address: [true, false], params: [true, false, false] }),
  use('./explanations', 'explanations', { right: [], wrong: [['/0', 'pattern']] }),
  use('./schemas', 'schemas', { read: [true, false], compiled: [true, false] }),
  use('./operations', 'operations', { method: 'eth_chainId', paths: HTTP_PATHS }),
  use('./http.types', 'http-types', []),
  use('./rpc.types', 'rpc-types', []),
  use('./viem', 'viem', {
    chainId: 20180427,
    height: '16',
    tokens: 1,
    queueId: 36,
    refused: 'header not found',
  }),
  use('./eip1193', 'eip1193', {
    chainId: '0x133edcb',
    connected: { chainId: '0x133edcb' },
    unknown: 4200,
    refused: -32000,
  }),
  use('./eip1193', 'eip1193-in-ethers', [16, '20180427'], { name: '`./eip1193` in ethers' }),
  use('./contracts', 'contracts', { type: 'bigint', next: '42', queueId: 36 }),
  use(
    './msw',
    'msw',
    {
      chainId: '0x133edcb',
      accounts: 0,
      refused: -32000,
      states: ['pending', 'completed'],
    },
    {
      remarks: {
        deno: 'MSW opens a BroadcastChannel as it is loaded, for which Deno runs on: `Deno.exit()` ends such a program.',
      },
    },
  ),
  use('./fastify', 'fastify', SERVED, {
    notIn: {
      'no-eval': 'Fastify’s own router makes functions of texts.',
      browser:
        'Fastify listens at a port, which a page cannot: a service worker answers by `toFetchHandler` of `./server`.',
    },
  }),
  use('./errors', 'errors', {
    made: ['RpcError', 3, '0x', true, true],
    thrown: [true, false, 'eth_getBalance'],
    unsent: true,
  }),
  use('./runtime/http', 'runtime-http', ['pending', 'completed']),
  use('./runtime/rpc', 'runtime-rpc', '0x133edcb'),
  use('./runtime/links/http', 'runtime-links-http', ['0x133edcb', '0x10']),
  use('./runtime/links/port', 'runtime-links-port', ['0x133edcb', '0x10']),
  use('./runtime/links/stdio', 'runtime-links-stdio', ['0x133edcb', '0x10']),
  use('./runtime/validate', 'runtime-validate', [true, ['/left/right/name']]),
  use('./openapi.json', 'openapi-json', ['3', HTTP_PATHS]),
  use('./openrpc.json', 'openrpc-json', true),
  use('./package.json', 'package-json', ['@acme/zkt', 'module']),
]
