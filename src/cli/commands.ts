/** Every verb of the command line: what its help says, and its flags. `run.ts` says what runs. */

/** A flag takes a value where it has a `hint` or `choices`. */
export type Flag = {
  readonly text: string
  /** One letter: `o` for `-o`. */
  readonly short?: string
  /** Names the value in the help. */
  readonly hint?: string
  readonly choices?: readonly string[]
  readonly default?: string
  readonly isRepeated?: true
}

export type Command = {
  readonly text: string
  /** The words behind the flags; none are accepted where it is missing. */
  readonly words?: readonly (readonly [name: string, text: string])[]
  readonly flags: Readonly<Record<string, Flag>>
  readonly examples: readonly string[]
}

const documents = [
  'documents',
  'Document files, URLs, - for standard input, or the folder of the documents; spec/ by default',
] as const

const header = {
  hint: 'name: value',
  isRepeated: true,
  text: 'Header of the requests for documents that are URLs; may be repeated',
} as const

const documentFlags = {
  openapi: { hint: 'file | url | -', text: 'The OpenAPI document, 3.0 to 3.2' },
  openrpc: {
    hint: 'file | url | -',
    text: 'The OpenRPC document, 1.0 to 1.4; a URL may be that of a service with rpc.discover',
  },
  header,
  'allow-outside': {
    hint: 'folder',
    text: 'References may lead into this folder, besides that of the document',
  },
  'fetch-references': {
    text: 'Fetch documents that references name by https, once, into references/ beside the document',
  },
} as const

const arazzo = { hint: 'file', text: 'The Arazzo document, 1.0' } as const

const listRules = { text: 'Print the table of rules, as text or json' } as const

const formats = ['text', 'json', 'github', 'sarif', 'junit'] as const

const failOn = <const T extends string>(found: T) =>
  ({
    choices: ['error', 'warning', 'note'],
    default: 'error',
    text: `The mildest ${found} that ends with exit code 1`,
  }) as const

export const COMMANDS = {
  init: {
    text: 'Begins a project: documents, a server and a workflow; overwrites nothing',
    words: [['documents', 'Documents to start from; an example of each kind by default']],
    flags: {
      dir: { hint: 'folder', default: '.', text: 'Folder of the project' },
      name: {
        hint: 'words',
        text: 'Name of the service; that of the folder by default',
      },
      'from-openapi': {
        hint: 'file | url | -',
        text: 'Start from an OpenAPI document, 3.0 to 3.2, with all files that it refers to',
      },
      'from-openrpc': {
        hint: 'file | url | -',
        text: 'Start from an OpenRPC document, 1.0 to 1.4, with all files that it refers to',
      },
      header,
      'allow-outside': documentFlags['allow-outside'],
      'fetch-references': documentFlags['fetch-references'],
    },
    examples: [
      'twinspec init',
      'twinspec init --dir parcels --name "Parcel service"',
      'twinspec init api.yaml methods.json',
    ],
  },
  generate: {
    text: 'Writes types, clients, validators, server stubs and a reference from documents',
    words: [documents],
    flags: {
      ...documentFlags,
      arazzo,
      out: {
        short: 'o',
        hint: 'folder',
        default: 'generated',
        text: 'Folder to write, whole or not at all',
      },
      with: {
        hint: 'names',
        text: 'Also these files, with commas between: contracts, eip1193, msw, openapi-fetch, standard-schema, tanstack-query, viem; of a large document schemas, documents, reference',
      },
      only: {
        hint: 'kinds',
        text: 'These kinds of files and what they import, with commas between: types, client, server, validators, schemas, documents, reference',
      },
      bigint: {
        hint: 'formats',
        text: 'Formats of integers that are bigint in code, as with x-bigint, with commas between: int64,uint64',
      },
      check: { text: 'Write nothing; exit 1 where the folder is out of date' },
      watch: { text: 'Generate again whenever a document is saved' },
      format: {
        choices: formats,
        default: 'text',
        text: 'How findings are printed; all but text go to standard output',
      },
      verbose: { short: 'v', text: 'Print every finding instead of the first ten of each rule' },
    },
    examples: [
      'twinspec generate',
      'twinspec generate --openapi api.yaml --out src/generated',
      'twinspec generate --openapi api.yaml --only client',
      'twinspec generate --openrpc methods.json --watch',
      'twinspec generate --check --format github',
    ],
  },
  lint: {
    text: 'Reports mistakes in documents',
    words: [documents],
    flags: {
      ...documentFlags,
      arazzo,
      format: { choices: formats, default: 'text', text: 'How findings are printed' },
      'fail-on': failOn('finding'),
      only: { hint: 'rule,rule', text: 'Report these rules only' },
      fix: {
        text: 'Mend in the documents what has one right fix, and declare the statuses of generated servers',
      },
      'list-rules': listRules,
      verbose: {
        short: 'v',
        text: 'Print notes, and every finding instead of the first ten of each rule',
      },
    },
    examples: [
      'twinspec lint',
      'twinspec lint --openrpc methods.json --fail-on warning --format github',
      'twinspec lint --openrpc http://127.0.0.1:8545',
      'twinspec lint --only variants-overlap,example-invalid',
      'twinspec lint --list-rules',
    ],
  },
  diff: {
    text: 'Reports changes since another version, and which of them break callers',
    words: [documents],
    flags: {
      against: {
        hint: 'file | folder | url | git:ref',
        text: 'The version before: a document, a folder, a URL, git:origin/main or git:v1:spec',
      },
      from: {
        hint: 'tag | revision',
        text: 'In place of --against: one changelog of all version tags after this one',
      },
      to: { hint: 'tag | revision', text: 'Where the changelog of --from ends; HEAD by default' },
      ...documentFlags,
      baseline: {
        hint: 'file',
        text: 'Accepted changes: each with rule, where, reason and until',
      },
      'allow-missing-base': {
        text: 'Where the base has no document, report nothing and exit with 0',
      },
      format: {
        choices: [...formats, 'markdown'],
        default: 'text',
        text: 'Format of the report; markdown is a changelog',
      },
      changelog: {
        hint: 'file',
        text: 'Also write the changelog, with the version step, to this file',
      },
      usage: {
        hint: 'file',
        text: 'File of `twinspec usage`: findings say which recorded requests they would have met',
      },
      'fail-on': {
        choices: ['error', 'warning', 'note', 'used'],
        default: 'error',
        text: 'The mildest change that ends with exit code 1; used: breaking changes, except those that no request of --usage met',
      },
      'list-rules': listRules,
      verbose: {
        short: 'v',
        text: 'Print every change and every operation that it concerns, instead of the first ten of each rule',
      },
    },
    examples: [
      'twinspec diff --against git:origin/main',
      'twinspec diff --openapi new.yaml --against old.yaml --format markdown',
      'twinspec diff --openrpc http://127.0.0.1:8545 --against https://node.example',
      'twinspec diff --against git:v1.0:spec --baseline accepted.yaml --fail-on warning',
      'twinspec diff --against git:origin/main --usage usage.json --fail-on used',
      'twinspec diff --from v1.0.0 --to HEAD --format markdown',
    ],
  },
  docs: {
    text: 'Writes an API reference of the documents as a static site',
    words: [documents],
    flags: {
      out: { short: 'o', hint: 'folder', text: 'Folder to write, whole or not at all' },
      ...documentFlags,
      arazzo,
      title: {
        hint: 'words',
        text: 'Title of the site, instead of the titles of the documents',
      },
      package: {
        hint: '@scope/name',
        text: 'Package that TypeScript samples import, instead of ./generated',
      },
      against: {
        hint: 'file | folder | url | git:ref',
        text: 'Adds a changelog page: what changed since this version',
      },
      usage: {
        hint: 'file',
        text: 'What recorded requests used, made by `usage`: pages say when each part was last used',
      },
      from: {
        hint: 'tag | revision',
        text: 'Adds a changelog page of all version tags after this one, up to HEAD',
      },
      logo: { hint: 'file', text: 'Picture in the bar: .svg, .png, .webp or .jpg' },
      color: { hint: '#rrggbb', text: 'Colour of buttons and marks; shades keep text readable' },
      link: {
        hint: 'label=url',
        isRepeated: true,
        text: 'Link in the bar; may be repeated',
      },
      'same-origin': {
        text: 'For a site that the service itself serves: Try it sends to the origin of the page',
      },
    },
    examples: [
      'twinspec docs --out site',
      'twinspec docs --openapi api.yaml --openrpc methods.yaml --title "Orders" --package @acme/orders --out site',
      'twinspec docs api.yaml --against git:v1.0 --logo logo.svg --color "#0b5c92" --out site',
    ],
  },
  mock: {
    text: 'Starts a mock server that answers from examples, over HTTP and JSON-RPC',
    words: [documents],
    flags: {
      ...documentFlags,
      port: { hint: 'number', default: '4010', text: 'Port; 0 takes a free one' },
      host: { hint: 'name', default: '127.0.0.1', text: 'Address to bind' },
      docs: { text: 'Shows the reference at /docs/, where every call can be tried on the mock' },
      prism: {
        text: 'Answers by Prism 5.14.2, an independent implementation, installed beside Twinspec',
      },
    },
    examples: [
      'twinspec mock',
      'twinspec mock api.yaml methods.json --port 8080',
      'twinspec mock --openapi api.yaml --openrpc methods.json --docs',
    ],
  },
  pack: {
    text: 'Makes an npm package of clients, types, validators and server stubs',
    words: [documents],
    flags: {
      name: { hint: '@scope/name', text: 'Name of the package' },
      out: { short: 'o', hint: 'folder', text: 'Folder to write, whole or not at all' },
      ...documentFlags,
      against: {
        hint: 'package | file | folder | url | git:ref',
        text: 'The version before: the folder or the .tgz of its package, or its documents',
      },
      version: {
        hint: 'x.y.z',
        text: 'Version, instead of the one that follows from the changes',
      },
      force: { text: 'Take --version even if the changes need a higher one' },
      license: { hint: 'SPDX id', text: 'Licence, instead of info.license of the documents' },
      without: {
        hint: 'viem,msw,fastify',
        text: 'Parts for other libraries to leave out',
      },
    },
    examples: [
      'twinspec pack --name @acme/orders --out package',
      'twinspec pack --name @acme/orders --out package --against acme-orders-1.4.0.tgz',
      'twinspec pack --name orders --openapi api.yaml --out package --license MIT --without msw',
    ],
  },
  conform: {
    text: 'Tests whether a live server conforms to the documents',
    words: [['url', 'Address of the server; the paths of the documents are appended'], documents],
    flags: {
      ...documentFlags,
      arazzo,
      server: {
        hint: 'name=url',
        isRepeated: true,
        text: 'URL of a server by its name in the documents; may be repeated',
      },
      'api-key': {
        hint: 'key',
        text: 'The API key of the server; it is never shown (TWINSPEC_KEY)',
      },
      only: {
        hint: 'name,name',
        isRepeated: true,
        text: 'Test only these: operations (eth_call, "GET /orders", an operationId, a tag) and cases, as --verbose names them; may be repeated, for a name with commas',
      },
      profile: { hint: 'name', text: 'The dialect of the server' },
      seed: { hint: 'number', default: '1', text: 'Seed of generated values' },
      'max-examples': {
        hint: 'number',
        default: '10',
        text: 'Valid and invalid values generated for each operation',
      },
      rate: {
        hint: 'number',
        text: 'Requests a minute, 0 for no limit; the limit of the documents by default',
      },
      'max-time': {
        hint: 'time',
        text: 'Start no case after this time (90s, 5m), and report what was skipped',
      },
      disruptive: {
        text: 'Also test what disturbs other callers: rate limit, slow clients, bursts',
      },
      stateless: { text: 'The server keeps no state and computes no values, as a mock' },
      'read-only': {
        text: 'Send nothing that could write: GET, HEAD, and methods marked x-idempotent',
      },
      traffic: {
        hint: 'folder',
        text: 'Check recorded traffic instead of a server: .io, HAR and NDJSON files',
      },
      baseline: {
        hint: 'file',
        text: 'Accepted findings: each with rule, where, reason and until',
      },
      format: {
        choices: ['text', 'json', 'junit', 'sarif', 'github', 'html'],
        default: 'text',
        text: 'Format of the report',
      },
      out: {
        short: 'o',
        hint: 'file',
        text: 'Write the report to this file, and text to the terminal',
      },
      html: { hint: 'file', text: 'Also write one HTML page with filters to this file' },
      'fail-on': failOn('finding'),
      'list-rules': listRules,
      verbose: { short: 'v', text: 'Print every finding, choice and gap' },
    },
    examples: [
      'twinspec conform http://127.0.0.1:8545 --api-key "$KEY"',
      'twinspec conform https://staging.example --only eth_getBalance,orders --profile strict',
      'twinspec conform http://127.0.0.1:8545 --openrpc http://127.0.0.1:8545',
      'twinspec conform --traffic traffic/ --format github',
      'twinspec conform --list-rules',
    ],
  },
  compatibility: {
    text: 'Tries clients of older versions with the new server or a mock of it',
    words: [['url', 'Address of the new server; a mock of the documents by default'], documents],
    flags: {
      ...documentFlags,
      arazzo,
      since: {
        hint: 'tag',
        text: 'The versions: this tag of git and all later ones with the same prefix',
      },
      last: {
        hint: 'number',
        text: 'Only the last versions of those; alone, the last tags of git',
      },
      version: {
        hint: 'package | file | folder | git:ref',
        isRepeated: true,
        text: 'A version: the folder or the .tgz of its package, or its documents; may be repeated',
      },
      consumer: {
        hint: 'folder | file',
        isRepeated: true,
        text: 'Code that uses a client: it is compiled with the new one; may be repeated',
      },
      'api-key': {
        hint: 'key',
        text: 'The API key of the server; it is never shown (TWINSPEC_KEY)',
      },
      rate: {
        hint: 'number',
        text: 'Requests a minute, 0 for no limit; the limit of the documents by default',
      },
      'read-only': {
        text: 'Send nothing that could write: GET, HEAD, and methods marked x-idempotent',
      },
      format: {
        choices: [...formats, 'markdown'],
        default: 'text',
        text: 'Format of the report; markdown is a table for a pull request',
      },
      matrix: { hint: 'file', text: 'Also write the table in Markdown to this file' },
      'fail-on': failOn('finding'),
      'list-rules': listRules,
      verbose: { short: 'v', text: 'Print every finding, not the first ten of each rule' },
    },
    examples: [
      'twinspec compatibility --since v1.2.0',
      'twinspec compatibility https://staging.example --last 5 --api-key "$KEY"',
      'twinspec compatibility api.yaml --version acme-orders-1.4.0.tgz --version old/api.yaml',
      'twinspec compatibility --since v1.2.0 --consumer ../shop --matrix matrix.md',
    ],
  },
  usage: {
    text: 'Counts in recorded traffic who uses what, for diff --usage',
    words: [
      [
        'traffic',
        'Folders or files of .har, .ndjson, .jsonl or .io, also .gz; .json files of usage are added',
      ],
    ],
    flags: {
      ...documentFlags,
      out: { short: 'o', hint: 'file', text: 'File to write; standard output by default' },
      consumer: {
        hint: 'kind',
        default: 'auto',
        text: 'Who a consumer is: key, user-agent, package, header:NAME or field:POINTER (/request/body/tenant); auto takes package, key or user agent',
      },
      'secret-file': {
        hint: 'file',
        text: 'The secret by which keys become ids, created once; in the folder of your settings by default',
      },
      'max-consumers': {
        hint: 'number',
        default: '1000',
        text: 'Consumers beyond this number are counted together',
      },
    },
    examples: [
      'twinspec usage traffic/ --openapi api.yaml --out usage.json',
      'twinspec usage october.ndjson.gz --consumer header:x-team --out october.json',
      'twinspec usage october.json november.json --out usage.json',
    ],
  },
  explain: {
    text: 'Explains a rule: what, why, an example and the fix',
    words: [['rule', 'The id at the end of a finding; all rules are listed without one']],
    flags: {
      format: { choices: ['text', 'json'], default: 'text', text: 'How rules are printed' },
    },
    examples: ['twinspec explain example-invalid', 'twinspec explain --format json'],
  },
  completion: {
    text: 'Prints the script by which bash, zsh or fish completes command lines',
    words: [['shell', 'bash, zsh or fish']],
    flags: {},
    examples: [
      'source <(twinspec completion bash)',
      'twinspec completion fish > ~/.config/fish/completions/twinspec.fish',
    ],
  },
} as const satisfies Readonly<Record<string, Command>>

/** Of every verb. */
export const CONFIG_FLAG: Flag = {
  hint: 'file',
  text: 'Configuration file, or none; the nearest twinspec.config.yaml by default',
}

export type Verb = keyof typeof COMMANDS

/** The values of the flags of a verb. */
export type Args<V extends Verb> = {
  readonly [F in keyof (typeof COMMANDS)[V]['flags']]: Value<(typeof COMMANDS)[V]['flags'][F]>
}

type Value<F> = F extends { readonly isRepeated: true }
  ? readonly string[]
  : F extends { readonly choices: readonly (infer C)[] }
    ? C
    : F extends { readonly hint: string }
      ? string | (F extends { readonly default: string } ? never : undefined)
      : boolean
