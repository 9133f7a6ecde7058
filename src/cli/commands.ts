import { type Command, documentFlags, documents, formatFlag, sourceFlags } from './command.js'

/** Every command. `run.ts` maps commands to functions. */
export const COMMANDS = {
  init: {
    text: 'Creates a project: documents, a server and a workflow; overwrites nothing',
    words: [['documents', 'Documents to start from; an example of each kind by default']],
    flags: {
      '--dir=<folder> (.)': 'Folder of the project',
      '--name=<words>': 'Name of the service; that of the folder by default',
      '--from-openapi=<file | url | ->':
        'Start from an OpenAPI document, 3.0 to 3.2 (Swagger 2.0 with the package @scalar/openapi-upgrader), with all files that it refers to',
      '--from-openrpc=<file | url | ->':
        'Start from an OpenRPC document, 1.0 to 1.4, with all files that it refers to',
      '--from-openapi-typescript':
        'Move a project from openapi-typescript: print the changes of its imports and scripts as a diff',
      '--write': 'Make these changes',
      ...sourceFlags,
    },
    examples: [
      'twinspec init',
      'twinspec init --dir parcels --name "Parcel service"',
      'twinspec init api.yaml methods.json',
      'twinspec init --from-openapi-typescript',
    ],
  },
  generate: {
    text: 'Writes types, clients and validators from documents; server stubs and more with --with, Python and Go with --language',
    words: [documents],
    flags: {
      ...documentFlags,
      '--arazzo=<file>': 'The Arazzo document, 1.0 or 1.1',
      '-o, --out=<folder> (generated)': 'Folder to write; its earlier content is replaced',
      '--language=<typescript|python|go> (typescript)':
        'The language of the code; python and go write a package, for which --with, --only, --bigint, --formats, --dates, --defaults, --enums and --type-options say nothing',
      '--module=<path>': 'The path of a Go module, such as example.com/acme/orders',
      '--with=<names>':
        'Also these files, separated by commas: server, typebox, documents, reference, contracts, eip1193, msw, openapi-fetch, operations-json, standard-schema, tanstack-query, valibot, viem, zod',
      '--only=<kinds>':
        'Only these kinds of files and what they import, separated by commas: types, client, webhooks, server, validators, typebox, documents, reference',
      '--bigint=<formats>':
        'Formats of integers that are bigint in code, as with x-bigint, separated by commas: int64,uint64',
      '--formats=<formats>':
        'Formats of texts that validators check, separated by commas: date-time,date,uuid,uri,ipv4,ipv6',
      '--dates': 'A text of the format date-time is a Date in code',
      '--defaults': 'Clients of HTTP fill in the defaults of parameters and bodies',
      '--enums':
        'A constant with the values of each enum, also of those that the document does not name',
      '--type-options=<names>':
        'With --only types, what flags of these names do in openapi-typescript, separated by commas: additional-properties, alphabetize, array-length, default-non-nullable, exclude-deprecated, immutable, path-params-as-types, properties-required-by-default',
      '--check': 'Write nothing; exit 1 where the folder is out of date',
      '--watch': 'Generate again whenever a document is saved',
      ...formatFlag,
      '-v, --verbose': 'Print every finding, instead of what changes the code in at most ten lines',
    },
    examples: [
      'twinspec generate',
      'twinspec generate --openapi api.yaml --out src/generated',
      'twinspec generate --openapi api.yaml --with server',
      'twinspec generate --openrpc methods.json --watch',
      'twinspec generate --openapi api.yaml --language python --out acme-orders',
      'twinspec generate --openapi api.yaml --language go --module example.com/acme/orders --out orders',
      'twinspec generate --check --format github',
    ],
  },
  lint: {
    text: 'Reports mistakes in documents',
    words: [documents],
    flags: {
      ...documentFlags,
      '--arazzo=<file>': 'The Arazzo document, 1.0 or 1.1',
      ...formatFlag,
      '--fail-on=<error|warning|note> (error)':
        'The lowest level of findings that ends with exit code 1',
      '--preset=<consumer|recommended|strict> (recommended)':
        'consumer: only what changes generated code, for documents of others; strict: notes too',
      '--only=<rule,rule>': 'Report these rules only',
      '--rules=<file .js>': 'Rules of your own: a module that exports rules (docs/linting.md)',
      '--score': 'Also a score of 0 to 100, with what each rule costs',
      '--fix':
        'Correct errors that have only one fix in the documents, and declare the statuses of generated servers',
      '--list-rules': 'Print the table of rules, as text or json',
      '-v, --verbose': 'Print notes, and every finding instead of the first ten of each rule',
    },
    examples: [
      'twinspec lint',
      'twinspec lint --openrpc methods.json --fail-on warning --format github',
      'twinspec lint --openrpc http://127.0.0.1:8545',
      'twinspec lint --only variants-overlap,example-invalid',
      'twinspec lint api.yaml --preset consumer --score',
      'twinspec lint --list-rules',
    ],
  },
  diff: {
    text: 'Reports changes since another version, and which of them break callers',
    words: [documents],
    flags: {
      '--against=<file | folder | url | git:ref>':
        'The version before: a document, a folder, a URL, git:origin/main or git:v1:spec',
      '--from=<tag | revision>':
        'Instead of --against: one changelog of all version tags after this one, in Markdown, or in JSON with --format json. It has no findings, so it has no other format',
      '--to=<tag | revision>': 'Where the changelog of --from ends; HEAD by default',
      ...documentFlags,
      '--baseline=<file>': 'Accepted changes: each with rule, where, reason and until',
      '--allow-missing-base': 'Where the base has no document, report nothing and exit with 0',
      ...formatFlag,
      '--changelog=<file>':
        'Also write a changelog in Markdown, with the version step, to this file',
      '--usage=<file>':
        'File of `twinspec usage`: findings report which recorded requests they affect',
      '--fail-on=<error|warning|note|used> (error)':
        'The lowest level of changes that ends with exit code 1; used: breaking changes, except those that affect no request of --usage',
      '--list-rules': 'Print the table of rules, as text or json',
      '-v, --verbose':
        'Print every change and every operation that it concerns, instead of the first ten of each rule',
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
      '-o, --out=<folder>': 'Folder to write; its earlier content is replaced',
      ...documentFlags,
      '--arazzo=<file>': 'The Arazzo document, 1.0 or 1.1',
      '--title=<words>': 'Title of the site, instead of the titles of the documents',
      '--package=<@scope/name>': 'Package that TypeScript samples import, instead of ./generated',
      '--python-package=<name>':
        'Package whose client Python samples call, instead of sending requests without a client',
      '--go-module=<path>':
        'Module whose client Go samples call, instead of sending requests without a client',
      '--against=<file | folder | url | git:ref>':
        'Adds a changelog page: what changed since this version',
      '--usage=<file>':
        'What recorded requests used, made by `usage`: pages say when each part was last used',
      '--from=<tag | revision>':
        'Adds a changelog page of all version tags after this one, up to HEAD',
      '--logo=<file>': 'Picture in the bar: .svg, .png, .webp or .jpg',
      '--color=<#rrggbb>': 'Colour of buttons and marks; shades keep text readable',
      '--link=<label=url>...': 'Link in the bar; may be repeated',
      '--same-origin':
        'For a site that the service itself serves: Try it sends to the origin of the page',
    },
    examples: [
      'twinspec docs --out site',
      'twinspec docs --openapi api.yaml --openrpc methods.yaml --title "Orders" --package @acme/orders --out site',
      'twinspec docs api.yaml --against git:v1.0 --logo logo.svg --color "#0b5c92" --out site',
    ],
  },
  mock: {
    text: 'Starts a mock server that returns examples, over HTTP and JSON-RPC',
    words: [documents],
    flags: {
      ...documentFlags,
      '--port=<number> (4010)': 'Port; 0 chooses a free one',
      '--host=<name> (127.0.0.1)': 'Address to bind',
      '--docs': 'Shows the reference at /docs/, where every call can be tried on the mock',
      '--push-interval=<milliseconds> (1000)':
        'Time between two items of a subscription, over WebSocket',
      '--prism': 'Sends responses of Prism 5.14.2, an independent implementation that you install',
    },
    examples: [
      'twinspec mock',
      'twinspec mock api.yaml methods.json --port 8080',
      'twinspec mock --openapi api.yaml --openrpc methods.json --docs',
    ],
  },
  pack: {
    text: 'Makes an npm package of clients, types, validators and server stubs, or a package of clients for Python or Go',
    words: [documents],
    flags: {
      '--name=<@scope/name>': 'Name of the package; of a Go module, its path',
      '--language=<typescript|python|go> (typescript)':
        'The language of the package; those of Python and Go take no --without',
      '-o, --out=<folder>': 'Folder to write; its earlier content is replaced',
      ...documentFlags,
      '--against=<package | file | folder | url | git:ref>':
        'The version before: the folder or the .tgz of its package, or its documents',
      '--version=<x.y.z>': 'Version, instead of the one that follows from the changes',
      '--force': 'Use --version even if the changes require a higher one',
      '--license=<SPDX id>': 'Licence, instead of info.license of the documents',
      '--without=<viem,msw,fastify>': 'Parts for other libraries to omit',
    },
    examples: [
      'twinspec pack --name @acme/orders --out package',
      'twinspec pack --name @acme/orders --out package --against acme-orders-1.4.0.tgz',
      'twinspec pack --name orders --openapi api.yaml --out package --license MIT --without msw',
      'twinspec pack --name acme-orders --language python --out acme-orders --version 1.0.0',
      'twinspec pack --name example.com/acme/orders --language go --out orders --version 1.0.0',
    ],
  },
  conform: {
    text: 'Tests whether a live server conforms to the documents',
    words: [
      ['url', 'Address of the server, http: or ws:; the paths of the documents are appended'],
      documents,
    ],
    flags: {
      ...documentFlags,
      '--arazzo=<file>': 'The Arazzo document, 1.0 or 1.1',
      '--stdio=<command>':
        'Test a program that speaks JSON-RPC over its standard input and output, in place of a url',
      '--framing=<lines|content-length> (lines)':
        'How messages of --stdio are divided: one a line, or a header before each, as in LSP',
      '--server=<name=url>...': 'URL of a server by its name in the documents; may be repeated',
      '--api-key=<key>': 'The API key of the server; it is never shown (TWINSPEC_KEY)',
      '--only=<name,name>...':
        'Test only these: operations (eth_call, "GET /orders", an operationId, a tag) and cases, as --verbose names them; may be repeated, for a name with commas',
      '--profile=<name>': 'The dialect of the server',
      '--seed=<number> (1)': 'Seed of generated values',
      '--max-examples=<number> (10)': 'Valid and invalid values generated for each operation',
      '--rate=<number>': 'Requests a minute, 0 for no limit; the limit of the documents by default',
      '--max-time=<time>': 'Start no case after this time (90s, 5m), and report what was skipped',
      '--disruptive': 'Also test what disturbs other callers: rate limit, slow clients, bursts',
      '--stateless': 'The server keeps no state and computes no values, as a mock',
      '--read-only': 'Send nothing that could write: GET, HEAD, and methods marked x-idempotent',
      '--traffic=<folder>': 'Check recorded traffic instead of a server: .io, HAR and NDJSON files',
      '--baseline=<file>': 'Accepted findings: each with rule, where, reason and until',
      ...formatFlag,
      '-o, --out=<file>': 'Write the report to this file, and text to the terminal',
      '--html=<file>': 'Also write one HTML page with filters to this file',
      '--fail-on=<error|warning|note> (error)':
        'The lowest level of findings that ends with exit code 1',
      '--list-rules': 'Print the table of rules, as text or json',
      '-v, --verbose': 'Print every finding, choice and gap',
    },
    examples: [
      'twinspec conform http://127.0.0.1:8545 --api-key "$KEY"',
      'twinspec conform https://staging.example --only eth_getBalance,orders --profile strict',
      'twinspec conform http://127.0.0.1:8545 --openrpc http://127.0.0.1:8545',
      'twinspec conform ws://127.0.0.1:8546 --openrpc methods.json',
      'twinspec conform --stdio "node server.js" --openrpc methods.json',
      'twinspec conform --traffic traffic/ --format github',
      'twinspec conform --list-rules',
    ],
  },
  compatibility: {
    text: 'Tries clients of older versions with the new server or a mock of it',
    words: [['url', 'Address of the new server; a mock of the documents by default'], documents],
    flags: {
      ...documentFlags,
      '--arazzo=<file>': 'The Arazzo document, 1.0 or 1.1',
      '--since=<tag>': 'The versions: this tag of git and all later ones with the same prefix',
      '--last=<number>': 'Only the last versions of those; alone, the last tags of git',
      '--version=<package | file | folder | git:ref>...':
        'A version: the folder or the .tgz of its package, or its documents; may be repeated',
      '--consumer=<folder | file>...':
        'Code that uses a client: it is compiled with the new one; may be repeated',
      '--api-key=<key>': 'The API key of the server; it is never shown (TWINSPEC_KEY)',
      '--rate=<number>': 'Requests a minute, 0 for no limit; the limit of the documents by default',
      '--read-only': 'Send nothing that could write: GET, HEAD, and methods marked x-idempotent',
      ...formatFlag,
      '--matrix=<file>': 'Also write the table in Markdown to this file',
      '--fail-on=<error|warning|note> (error)':
        'The lowest level of findings that ends with exit code 1',
      '--list-rules': 'Print the table of rules, as text or json',
      '-v, --verbose': 'Print every finding, not the first ten of each rule',
    },
    examples: [
      'twinspec compatibility --since v1.2.0',
      'twinspec compatibility https://staging.example --last 5 --api-key "$KEY"',
      'twinspec compatibility api.yaml --version acme-orders-1.4.0.tgz --version old/api.yaml',
      'twinspec compatibility --since v1.2.0 --consumer ../shop --matrix matrix.md',
    ],
  },
  usage: {
    text: 'Counts in recorded traffic which consumers use which parts, for diff --usage',
    words: [
      [
        'traffic',
        'Folders or files of .har, .ndjson, .jsonl or .io, also .gz; .json files of usage are added',
      ],
    ],
    flags: {
      ...documentFlags,
      '-o, --out=<file>': 'File to write; standard output by default',
      '--consumer=<kind> (auto)':
        'Who a consumer is: key, user-agent, package, header:NAME or field:POINTER (/request/body/tenant); auto uses package, key or user agent',
      '--secret-file=<file>':
        'File of the secret that turns keys into ids, created once; in the folder of your settings by default',
      '--max-consumers=<number> (1000)': 'Consumers beyond this number are counted together',
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
      '--format=<text|json> (text)': 'How rules are printed',
    },
    examples: ['twinspec explain example-invalid', 'twinspec explain --format json'],
  },
  completion: {
    text: 'Prints the script that lets bash, zsh or fish complete command lines',
    words: [['shell', 'bash, zsh or fish']],
    flags: {},
    examples: [
      'source <(twinspec completion bash)',
      'twinspec completion fish > ~/.config/fish/completions/twinspec.fish',
    ],
  },
} as const satisfies Readonly<Record<string, Command>>

export type Verb = keyof typeof COMMANDS
