import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from './pack/packed.js'
import { installedToolkit, run } from './package/installed.js'
import { call, harOf, notify, receive, result, send } from './traffic/desk.js'
import { basicVariables } from './variables.js'

/**
 * Every command line of README.md, CONTRIBUTING.md and the guides is run as it is written, from the folder that the text implies,
 * or is in `NOT_RUN` with the reason.
 */

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** A line of a block of commands, without the comment at its end. */
const linesOf = (page: string): readonly string[] =>
  [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(
      /^```(?:sh|bash|shell|console)\n([\s\S]*?)^```/gm,
    ),
  ]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '')

type Row = {
  readonly line: string
  /** The exit code; 0 by default. */
  readonly code?: number
  /** What standard output and standard error have. */
  readonly prints?: RegExp
  /** A URL that a command which goes on answers. It ends with the page, or before the next one. */
  readonly serves?: string
  /** Whether npm fetches packages; all others have no network but a loopback of their own. */
  readonly online?: boolean
  /** The folder, where it is not that of the line before. */
  readonly from?: string
  /** Commands that a reader has run before. */
  readonly before?: string
}

/** A page, the folder in which its lines begin, and its lines in their order. */
type Guide = {
  readonly page: string
  readonly world: (top: string) => Promise<string>
  readonly rows: readonly Row[]
}

/** At line 21 and column 43 is the pattern, as in the README. */
const orders = (pattern: string) => `openapi: 3.1.0
info: { title: Orders, version: 1.0.0, license: { name: MIT, identifier: MIT } }
servers: [{ url: 'http://127.0.0.1:4010' }]
paths:
  /orders/{id}: { get: { operationId: getOrder, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { '200': { description: The order, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }, '404': { description: No such order } } } }
  /orders:
    post:
      operationId: placeOrder
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses: { '204': { description: Stored } }
components:
  schemas:
    Order:
      type: object
      description: An order
      required: [address, items]
      properties:
        items: { type: array, items: { type: string } }
        address: { type: string, pattern: '${pattern}' }
`
const OLD = orders('^0x[0-9a-fA-F]{40}$')
const NEW = orders('^0x[0-9a-f]{40}$')

const [, STOCK = ''] =
  /With this `methods.yaml`:\n\n```yaml\n([\s\S]*?)```/.exec(
    readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8'),
  ) ?? []
const [, BOOKS = ''] =
  /for example, this `api.yaml`:\n\n```yaml\n([\s\S]*?)```/.exec(
    readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8'),
  ) ?? []

const exchange = (method: string, path: string, status: number, body?: string) =>
  `${JSON.stringify({
    startedAt: '2026-10-02T00:00:00Z',
    request: {
      method,
      url: `http://127.0.0.1:4010${path}`,
      headers: { 'content-type': 'application/json' },
      ...(body && { body }),
    },
    response: { status, headers: {} },
  })}\n`

const TRAFFIC =
  exchange('GET', '/orders/7', 404) +
  exchange('POST', '/orders', 204, `{"address":"0x${'A'.repeat(40)}","items":[]}`)

/** As the Model Context Protocol publishes its messages. */
const SCHEMA = `${JSON.stringify({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: {
    Request: {
      type: 'object',
      required: ['method'],
      properties: { method: { type: 'string' }, params: { type: 'object' } },
    },
    Result: { type: 'object' },
    EmptyResult: { $ref: '#/$defs/Result' },
    PingRequest: {
      type: 'object',
      required: ['method'],
      properties: { method: { const: 'ping', type: 'string' } },
    },
    ClientRequest: { anyOf: [{ $ref: '#/$defs/PingRequest' }] },
    JSONRPCRequest: {
      type: 'object',
      required: ['jsonrpc', 'id', 'method'],
      properties: { jsonrpc: { const: '2.0' }, id: { type: 'string' }, method: { type: 'string' } },
    },
  },
})}\n`

const put = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

const PACKAGE = '{ "name": "my-service", "private": true, "type": "module" }\n'

/** A project that has the package, and a git repository: the old documents have tags and are `origin/main`. */
const project =
  (documents: (orders: string) => Readonly<Record<string, string>>) =>
  async (top: string): Promise<string> => {
    const folder = join(top, 'my-service')
    await put(folder, { 'package.json': PACKAGE, '.gitignore': 'node_modules\n' })
    const { app } = await installedToolkit()
    await symlink(join(app, 'node_modules'), join(folder, 'node_modules'))
    const git = async (...args: readonly string[]) =>
      run('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], folder)
    await git('init', '--quiet', '--initial-branch=main')
    await put(folder, documents(OLD))
    await git('add', '.')
    await git('commit', '--quiet', '--message=Old')
    for (const tag of ['v1.0', 'v1.0.0', 'v1.2.0']) await git('tag', tag)
    await git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    await put(folder, documents(NEW))
    await git('commit', '--quiet', '--all', '--message=New')
    return folder
  }

/** The module of docs/linting.md. */
const [, TEAM_RULES = ''] =
  /```js\n(\/\*\* @type[\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/linting.md'), 'utf8')) ?? []

/** Documents in `spec/`, and the files that the guides name. */
const inSpec = project((text) => ({
  'spec/openapi.yaml': text,
  'spec/openrpc.yaml': STOCK,
  'api.yaml': text,
  'methods.yaml': STOCK,
  'traffic/one.ndjson': TRAFFIC,
  'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'methods.json': JSON.stringify(parse(STOCK)),
  'team-rules.mjs': TEAM_RULES,
}))

/** One document, which the configuration names. */
const apiYaml = project((text) => ({
  'api.yaml': text,
  'new.yaml': NEW,
  'old.yaml': OLD,
  'schema.json': SCHEMA,
  'traffic/one.ndjson': TRAFFIC,
  'twinspec.config.yaml': 'documents: { openapi: api.yaml }\n',
}))

/** A document whose server is a WebSocket, and what a browser recorded of one. */
const chain = project((text) => ({
  'api.yaml': text,
  'chain.openrpc.yaml': readFileSync(join(ROOT, 'test/link/ethereum.openrpc.yaml'), 'utf8'),
  'page.har': harOf({
    url: 'ws://127.0.0.1:8545',
    messages: [
      send(call(1, 'eth_blockNumber', [])),
      receive(result(1, '0x10')),
      receive(notify('eth_subscription', { subscription: '0x1', result: '0x2' })),
    ],
  }),
}))

/** A folder beside a clone whose package was built. */
const besideClone = async (top: string): Promise<string> => {
  const { tgz } = await installedToolkit()
  await mkdir(join(top, 'twinspec'))
  await cp(tgz, join(top, 'twinspec/twinspec-0.1.0.tgz'))
  await mkdir(join(top, 'my-service'))
  return join(top, 'my-service')
}

/** A copy of this checkout with its packages. */
const checkout = async (top: string): Promise<string> => {
  const folder = join(top, 'twinspec')
  await mkdir(folder)
  const left = ['.git', 'node_modules', 'data', 'dist', 'test']
  for (const name of readdirSync(ROOT))
    if (!left.includes(name) && !name.endsWith('.tgz'))
      await cp(join(ROOT, name), join(folder, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const MOCK = 'http://127.0.0.1:4010'
const SERVICE = 'http://127.0.0.1:8080'
const BREAKS =
  /^api\.yaml:21:43 error `address` in the request body of POST \/orders must match `\^0x\[0-9a-f\]\{40\}\$` now; it had to match `\^0x\[0-9a-fA-F\]\{40\}\$`: callers may be rejected \[request-pattern-narrowed\]$/m
const PACK_OLD =
  'git worktree add -q ../before v1.2.0 && npx twinspec pack ../before/api.yaml --name @acme/orders --version 1.4.0 --out ../old-package && npm pack --silent ../old-package'

/** The one that takes longest is the first. */
const GUIDES: readonly Guide[] = [
  {
    page: 'docs/getting-started.md',
    world: besideClone,
    rows: [
      { line: 'npm init -y && npm pkg set type=module', online: true },
      {
        line: 'npm install --save-dev ../twinspec/twinspec-0.1.0.tgz tsx',
        online: true,
      },
      {
        line: 'npx twinspec lint api.yaml',
        before: `cat > api.yaml <<'YAML'\n${BOOKS}YAML\ncat > methods.yaml <<'YAML'\n${STOCK}YAML`,
        prints: /^\d+ warning/m,
      },
      {
        line: 'npx twinspec generate api.yaml --out src/generated',
        prints: /into src\/generated\//,
      },
      { line: 'npx twinspec mock api.yaml', serves: MOCK },
      { line: 'npx twinspec lint methods.yaml' },
      {
        line: 'npx twinspec generate methods.yaml --out src/generated',
        prints: /into src\/generated\//,
      },
      { line: 'npx twinspec mock methods.yaml', serves: MOCK },
      {
        line: 'npx twinspec generate api.yaml methods.yaml --out src/generated',
        prints: /into src\/generated\//,
      },
      { line: 'npx twinspec mock api.yaml methods.yaml', serves: MOCK },
      {
        line: 'npx twinspec lint --openrpc http://127.0.0.1:8545',
        before:
          'sed -i s,example/rpc,example, methods.yaml; npx twinspec mock methods.yaml --port 8545 & for _ in $(seq 900); do curl -s -o /dev/null http://127.0.0.1:8545 && break; sleep 0.2; done',
        prints: /by \d+ rules/,
      },
      {
        line: 'npx twinspec conform http://127.0.0.1:8545 --openrpc http://127.0.0.1:8545',
        prints: /requests/,
      },
      { line: 'mkdir parcels && cd parcels', from: '..', online: true },
      {
        line: 'npx --yes --package ../twinspec/twinspec-0.1.0.tgz twinspec init',
        online: true,
        prints: /next:/,
      },
      { line: 'mkdir -p vendor && cp ../twinspec/twinspec-0.1.0.tgz vendor/', online: true },
      { line: 'npm install ./vendor/twinspec-0.1.0.tgz', online: true },
      { line: 'npm start', serves: 'http://127.0.0.1:8080' },
      { line: 'npx twinspec conform --api-key parcel-token', prints: /requests/ },
    ],
  },
  {
    page: 'README.md',
    world: async (top) => {
      const folder = await besideClone(top)
      await put(folder, { 'package.json': PACKAGE, 'api.yaml': BOOKS })
      return join(top, 'twinspec')
    },
    rows: [
      {
        line: 'cd ../my-service && npm install --save-dev ../twinspec/twinspec-0.1.0.tgz',
        online: true,
      },
      { line: 'npx twinspec lint api.yaml', prints: /^\d+ warning/m },
      {
        line: 'npx twinspec generate api.yaml --out src/generated',
        prints: /into src\/generated\//,
      },
      {
        line: 'npx twinspec mock api.yaml',
        serves: MOCK,
        prints: /curl .*http:\/\/127\.0\.0\.1:4010/,
      },
    ],
  },
  {
    page: 'README.md',
    world: apiYaml,
    rows: [{ line: 'npx twinspec diff --against git:origin/main', code: 1, prints: BREAKS }],
  },
  {
    page: 'CONTRIBUTING.md',
    world: checkout,
    rows: [
      { line: 'npm run twinspec -- lint', prints: /by \d+ rules/ },
      { line: 'npm run format', prints: /No fixes applied/ },
      { line: 'npm run generate', prints: /into generated\/, nothing changed/ },
      { line: 'npm run rules' },
    ],
  },
  {
    page: 'docs/breaking-changes.md',
    world: apiYaml,
    rows: [
      { line: 'npx twinspec diff --against git:origin/main', code: 1, prints: BREAKS },
      {
        line: 'npx twinspec diff --openapi new.yaml --against old.yaml --format markdown',
        code: 1,
        prints: /^#/,
      },
      { line: 'npx twinspec diff --list-rules', prints: /^\w/ },
      { line: 'npx twinspec diff --from v1.0.0 --to HEAD > CHANGELOG.md' },
      { line: 'npx twinspec docs --from v1.0.0 --out site', prints: /open site\/index\.html/ },
    ],
  },
  {
    page: 'docs/coming-from-openapi-typescript.md',
    world: apiYaml,
    rows: [
      {
        line: 'npx twinspec init --from-openapi-typescript',
        before: `echo '{ "scripts": { "types": "openapi-typescript api.yaml -o src/api.d.ts" } }' > package.json`,
        prints: /nothing was written; --write changes 1 file/,
      },
      {
        line: 'npx twinspec init --from-openapi-typescript --write',
        prints: /changed 1 file; next:/,
      },
      { line: 'npx openapi-typescript api.yaml -o src/api.d.ts', prints: /src\/api\.d\.ts/ },
      {
        line: 'npx twinspec generate api.yaml --only types --out src/api',
        prints: /generated 1 file/,
      },
    ],
  },
  {
    page: 'docs/coming-from-other-tools.md',
    world: apiYaml,
    rows: [
      { line: 'npx twinspec generate api.yaml --out src/client', prints: /generated \d+ files/ },
      {
        line: 'npx twinspec generate api.yaml --with tanstack-query,msw --out src/api',
        prints: /generated \d+ files/,
      },
      { line: 'npx twinspec lint api.yaml', prints: /\d+ rules/ },
      { line: 'npx twinspec docs api.yaml --out site', prints: /open site\/index\.html/ },
      {
        line: 'npx twinspec generate api.yaml --only documents --out bundled',
        prints: /generated \d+ file/,
      },
    ],
  },
  {
    page: 'docs/compatibility.md',
    world: inSpec,
    rows: [
      { line: 'npx twinspec compatibility --since v1.2.0', prints: /^ {2}POST \/orders +works$/m },
      {
        line: 'npx twinspec compatibility api.yaml --version acme-orders-1.4.0.tgz',
        before: PACK_OLD,
        prints: /^ {2}POST \/orders +works$/m,
      },
      {
        line: 'npx twinspec compatibility --since v1.2.0 --consumer ../shop',
        before:
          'npx twinspec generate ../before/spec --out ../shop/generated && echo \'export { createClient } from "./generated/client.js"\' > ../shop/index.ts && ln -s ../my-service/node_modules ../shop',
        prints: /^ {2}POST \/orders +works$/m,
      },
    ],
  },
  {
    page: 'docs/contract-testing.md',
    world: inSpec,
    rows: [
      {
        line: 'npx twinspec conform --traffic traffic/',
        code: 1,
        prints: / error POST \/orders: .* \[invalid-request-accepted\]$/m,
      },
      { line: 'npx twinspec conform --list-rules', prints: /^\w/ },
    ],
  },
  {
    page: 'docs/documents.md',
    world: apiYaml,
    rows: [
      {
        line: 'npx twinspec generate api.yaml --overlay public.yaml --overlay partner.yaml',
        before: `printf "overlay: 1.0.0\\ninfo: { title: Public, version: '1' }\\nactions: [{ target: $.info, update: { description: Public } }]\\n" | tee public.yaml partner.yaml`,
        prints: /generated/,
      },
      {
        line: 'npx twinspec generate --openrpc schema.json',
        prints: /into generated\//,
      },
      {
        line: 'npx twinspec generate --openapi api.yaml --fetch-references',
        before: `sed -i "s|{ type: array, items: { type: string } }|{ \\$ref: 'http://127.0.0.1:9999/items.yaml' }|" api.yaml; node -e "require('http').createServer((_, r) => r.end('type: array')).listen(9999, '127.0.0.1')" & sleep 1`,
        prints: /^fetched http:\/\/127\.0\.0\.1:9999\/items\.yaml to references\//m,
      },
    ],
  },
  {
    page: 'docs/reports.md',
    world: inSpec,
    rows: [
      { line: 'npx twinspec lint api.yaml --format sarif > lint.sarif', prints: /by \d+ rules/ },
    ],
  },
  {
    page: 'docs/linting.md',
    world: inSpec,
    rows: [
      { line: 'npx twinspec lint', prints: /by \d+ rules/ },
      {
        line: 'npx twinspec lint --openrpc methods.yaml --fail-on warning --format github',
        code: 1,
        prints: /^::warning file=methods\.yaml/m,
      },
      { line: 'npx twinspec lint api.yaml methods.yaml', prints: /by \d+ rules/ },
      { line: 'npx twinspec explain example-invalid', prints: /^example-invalid/ },
      { line: 'npx twinspec lint --list-rules', prints: /^\w/ },
      {
        line: 'npx twinspec lint --only variants-overlap,example-invalid',
        prints: /clean by 2 rules/,
      },
      {
        line: 'npx twinspec lint api.yaml --preset consumer',
        prints: /concern only the owner of the documents/,
      },
      { line: 'npx twinspec lint --score', prints: /score: \d+ of 100/ },
      {
        line: 'npx twinspec lint --rules team-rules.mjs',
        code: 1,
        prints: /has no tag of a team \[team-operation-has-no-owner\]/,
      },
      { line: 'npx twinspec lint --fix', prints: /fixed spec\/openapi\.yaml/ },
    ],
  },
  {
    page: 'docs/python.md',
    world: inSpec,
    rows: [
      {
        line: 'npx twinspec generate api.yaml methods.json --language python --out acme-orders',
        prints: /generated \d+ files/,
      },
      {
        line: 'npx twinspec pack --language python --name acme-orders --version 1.0.0 --out acme-orders',
        prints: /acme-orders/,
      },
    ],
  },
  {
    page: 'docs/go.md',
    world: inSpec,
    rows: [
      {
        line: 'npx twinspec generate api.yaml methods.json --language go --module example.com/acme/orders --out orders',
        prints: /generated \d+ files/,
      },
      {
        line: 'npx twinspec pack --language go --name example.com/acme/orders --version 1.0.0 --out orders',
        prints: /orders/,
      },
    ],
  },
  {
    page: 'docs/mocking.md',
    world: inSpec,
    rows: [
      { line: 'npx twinspec mock', serves: MOCK },
      { line: 'npx twinspec mock api.yaml methods.yaml', serves: MOCK },
      { line: 'npx twinspec mock --docs', serves: `${MOCK}/docs/` },
      { line: "curl -s http://127.0.0.1:4010/orders/7 -H 'prefer: code=404'" },
    ],
  },
  {
    page: 'docs/operating.md',
    world: checkout,
    rows: [
      {
        line: 'post() { curl -s http://127.0.0.1:8080/zkt/try-it-out -H \'content-type: application/json\' -d "$1"; echo; }',
        before: `npm start & server=$!; for _ in $(seq 900); do curl -sf -o /dev/null ${SERVICE}/ready && break; sleep 0.2; done`,
      },
      {
        line: 'sum=$(post \'{"code":"contract Sum { uint256 public sum; function add(uint256 amount) public { sum += amount; } }"}\')',
      },
      { line: 'to=$(echo "$sum" | sed \'s/.*"contractAddress":"\\([^"]*\\)".*/\\1/\')' },
      {
        line: 'post \'{"abi":["function add(uint256 amount)"],"to":"\'$to\'","method":"add","arguments":["7"],"wait":true}\'',
        prints: /"status":"0x1"/,
      },
      {
        line: 'post \'{"abi":["function sum() view returns (uint256)"],"to":"\'$to\'","method":"sum","arguments":[]}\'',
        prints: /"output":\["7"\]/,
      },
      {
        line: 'npm run keys -- create --data ./data --name "a page" --kind public --new',
        prints: /^ts_\w+$/m,
      },
      { line: 'npm run keys -- list --data ./data', prints: / public / },
      { line: 'npm start -- --data ./data --usage ./usage', serves: `${SERVICE}/ready` },
      {
        line: 'npm run twinspec -- usage ./usage --openapi generated/http.openapi.json --openrpc generated/rpc.openrpc.json --out usage.json',
        before: `curl -s ${SERVICE}/zkt/try-it-out -H 'content-type: application/json' -d '{"arguments":"hello"}'; kill -- -$server; wait $server`,
      },
    ],
  },
  {
    page: 'docs/packages.md',
    world: inSpec,
    rows: [
      {
        line: 'npx twinspec pack --name @acme/orders --out package',
        before: PACK_OLD,
        prints: /package/,
      },
      {
        line: 'npx twinspec pack --name @acme/orders --out package --against acme-orders-1.4.0.tgz',
        prints: /2\.0\.0/,
      },
      { line: '(cd package && npm pack)', prints: /^acme-orders-2\.0\.0\.tgz$/m },
    ],
  },
  {
    page: 'docs/reference-site.md',
    world: inSpec,
    rows: [
      { line: 'npx twinspec docs --out site', prints: /open site\/index\.html/ },
      { line: 'npx twinspec docs --against git:v1.0 --out site', prints: /open site\/index\.html/ },
      { line: 'npx twinspec usage traffic/ --out usage.json' },
      { line: 'npx twinspec docs --usage usage.json --out site', prints: /open site\/index\.html/ },
      { line: 'npx twinspec docs --from v1.0.0 --out site', prints: /open site\/index\.html/ },
      {
        line: 'npx twinspec docs api.yaml --title "Orders" --logo logo.svg --color "#0b5c92" --link "Status=https://status.example" --out site',
        prints: /open site\/index\.html/,
      },
      { line: 'npx twinspec mock api.yaml --docs', serves: `${MOCK}/docs/` },
    ],
  },
  {
    page: 'docs/sockets.md',
    world: chain,
    rows: [
      {
        line: 'npx twinspec conform --traffic page.har --openrpc chain.openrpc.yaml',
        code: 1,
        prints: /eth_subscription: params\/result .* \[server-message-invalid\]/,
      },
      {
        line: 'npx twinspec usage page.har --openrpc chain.openrpc.yaml',
        prints: /"server eth_subscription"/,
      },
    ],
  },
  {
    page: 'docs/usage.md',
    world: apiYaml,
    rows: [
      { line: 'npx twinspec usage traffic/ --openapi api.yaml --out usage.json' },
      {
        line: 'npx twinspec usage october.json november.json --out usage.json',
        before: 'cp usage.json october.json; cp usage.json november.json',
      },
      {
        line: 'npx twinspec diff --against git:origin/main --usage usage.json --fail-on used',
        code: 1,
        prints: /usage: up to 2 of 2 recorded requests may be affected/,
      },
      { line: 'npx twinspec docs --usage usage.json --out site', prints: /open site\/index\.html/ },
    ],
  },
]

const EXTERNAL = 'a server of others; test/snippets-of-guides.e2e.test.ts reads its flags'
const CONTAINERS = 'needs a container engine'
const POSTGRES =
  'needs PostgreSQL; test/service/operating.e2e.test.ts runs it with the address of its own'
const PACKAGES = 'npm ci fetches all packages of this repository'
const OPERATING = 'test/service/operating.e2e.test.ts'

/** Lines that are not run here: the page, the line and the reason. */
const NOT_RUN: readonly (readonly [page: string, line: string, reason: string])[] = [
  [
    'docs/contract-testing.md',
    'npx twinspec conform ws://127.0.0.1:8546 --openrpc chain.openrpc.yaml',
    'needs a node of a chain; the tests of conform have a server of their own',
  ],
  ...[
    '"node server.js" --openrpc tools.openrpc.yaml',
    '"language-server --stdio" --framing content-length --openrpc lsp.openrpc.json',
  ].map(
    (line) =>
      [
        'docs/contract-testing.md',
        `npx twinspec conform --stdio ${line}`,
        'needs a program; test/conform/duplex/stdio.e2e.test.ts has one',
      ] as const,
  ),
  [
    'docs/mocking.md',
    'npx twinspec mock chain.openrpc.yaml --push-interval 250',
    'needs a document with subscriptions; the tests of the mock have one',
  ],
  ['README.md', 'npm ci && npm run build', `${PACKAGES}; test/package/installed.ts builds it`],
  ['README.md', 'npm ci && npm run generate', `${PACKAGES}; CONTRIBUTING.md has the second half`],
  ['README.md', 'npm ci && npm test', `${PACKAGES}; these are the tests`],
  ['README.md', 'npx twinspec conform https://staging.example --api-key "$KEY"', EXTERNAL],
  [
    'docs/reports.md',
    'npx twinspec conform https://staging.example api.yaml --format junit --out conform.xml',
    EXTERNAL,
  ],
  [
    'docs/python.md',
    'pip install ./acme-orders',
    'pip fetches packages; test/languages installs what is generated',
  ],
  ['CONTRIBUTING.md', 'npm ci', PACKAGES],
  ['CONTRIBUTING.md', 'npm test', 'these are the tests'],
  [
    'docs/compatibility.md',
    'npx twinspec compatibility https://staging.example --last 5',
    EXTERNAL,
  ],
  [
    'docs/contract-testing.md',
    'npx twinspec conform https://staging.example --api-key "$KEY"',
    EXTERNAL,
  ],
  [
    'docs/contract-testing.md',
    "npx twinspec conform --server testnet='https://rpc.example/zgt/{apiKey}' --only eth_call",
    EXTERNAL,
  ],
  [
    'docs/getting-started.md',
    'npx twinspec generate --openapi https://api.example/openapi.json',
    EXTERNAL,
  ],
  [
    'docs/getting-started.md',
    'curl -s https://api.example/openapi.json | npx twinspec lint --openapi -',
    EXTERNAL,
  ],
  [
    'docs/getting-started.md',
    'npx twinspec diff --openrpc http://127.0.0.1:8545 --against https://node.example',
    EXTERNAL,
  ],
  ['docs/operating.md', 'npm ci', PACKAGES],
  [
    'docs/operating.md',
    'npm run install-service -- /opt/twinspec/0.1.0',
    `a folder of the machine; ${OPERATING} runs it with another one`,
  ],
  [
    'docs/operating.md',
    'ln -sfn 0.1.0 /opt/twinspec/current',
    `a folder of the machine; ${OPERATING} runs it with another one`,
  ],
  ['docs/operating.md', 'docker build -t twinspec -f docs/operating/Dockerfile .', CONTAINERS],
  [
    'docs/operating.md',
    'docker run --init --read-only --tmpfs /tmp -v twinspec:/data -p 127.0.0.1:8080:8080 twinspec --data /data',
    CONTAINERS,
  ],
  [
    'docs/operating.md',
    'npm run keys -- revoke <id> --data ./data',
    `<id> is of the key; ${OPERATING} runs it with that`,
  ],
  [
    'docs/operating.md',
    'export DATABASE_URL=postgres://user:password@127.0.0.1/twinspec',
    POSTGRES,
  ],
  ['docs/operating.md', 'export TWINSPEC_MNEMONIC="…"', POSTGRES],
  [
    'docs/operating.md',
    'npm start -- --upstream http://127.0.0.1:8545 --chain-id 101010 --port 8081',
    POSTGRES,
  ],
  [
    'docs/operating.md',
    'tar -C /var/lib -czf twinspec.tar.gz twinspec',
    `a folder of the machine; ${OPERATING} runs it with another one`,
  ],
  [
    'docs/operating.md',
    'tar -C /var/lib -xzf twinspec.tar.gz',
    `a folder of the machine; ${OPERATING} runs it with another one`,
  ],
  ['docs/operating.md', 'pg_dump --format=custom --file=twinspec.dump "$DATABASE_URL"', POSTGRES],
  [
    'docs/operating.md',
    'pg_restore --clean --if-exists --dbname="$DATABASE_URL" twinspec.dump',
    POSTGRES,
  ],
]

type Result = { readonly code: number; readonly output: string }

let scratch = ''
const results = new Map<Row, Result>()

/** Consecutive rows with and without a network. */
const partsOf = (rows: readonly Row[]): readonly (readonly Row[])[] => {
  const parts: Row[][] = []
  for (const row of rows) {
    const last = parts.at(-1)
    if (last !== undefined && (last[0]?.online ?? false) === (row.online ?? false)) last.push(row)
    else parts.push([row])
  }
  return parts
}

/** The lines, one after the other in one shell; each has files for its output and its exit code. */
const script = (rows: readonly Row[], out: string, first: number): string =>
  [
    'set -m',
    "trap 'for job in $(jobs -p); do kill -- -$job 2>/dev/null; done; wait' EXIT",
    ...rows.flatMap(({ line, serves, from, before }, index) => {
      const file = `"${out}/${first + index}"`
      const streams = `>${file}.out 2>&1 </dev/null`
      return [
        from === undefined ? '' : `cd "${from}"`,
        before === undefined ? '' : `{ ${before}\n} >${file}.before 2>&1 </dev/null`,
        ...(serves === undefined
          ? [`{ ${line}\n} ${streams}; echo $? >${file}.code`]
          : [
              '[ -n "$server" ] && kill -- -$server && wait $server 2>/dev/null',
              `{ ${line}\n} ${streams} & server=$!`,
              `for _ in $(seq 900); do curl -s -o /dev/null ${serves} && break; kill -0 $server 2>/dev/null || break; sleep 0.2; done`,
              `curl -s -o /dev/null ${serves}; echo $? >${file}.code`,
            ]),
      ]
    }),
    `pwd >"${out}/folder"`,
  ].join('\n')

/** A loopback of its own, where no other process has a port of the guides; the loopback of the machine where there is none. */
const ALONE = ['unshare', '-rn', 'bash', '-c', 'ip link set lo up && exec bash "$0"']
const isAlone = spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).status === 0

const runGuide = async ({ world, rows }: Guide, name: string): Promise<void> => {
  const top = join(scratch, name)
  const out = join(top, 'out')
  await mkdir(out, { recursive: true })
  await writeFile(join(out, 'folder'), await world(top))
  let first = 0
  for (const part of partsOf(rows)) {
    const file = join(out, `${first}.sh`)
    await writeFile(file, script(part, out, first))
    const isOnline = part[0]?.online ?? false
    const [program = '', ...args] = isAlone && !isOnline ? [...ALONE, file] : ['bash', file]
    const child = spawn(program, args, {
      cwd: (await readFile(join(out, 'folder'), 'utf8')).trim(),
      env: {
        ...(isOnline ? process.env : basicVariables()),
        ...{
          npm_config_prefer_offline: 'true',
          npm_config_audit: 'false',
          npm_config_fund: 'false',
        },
      },
      stdio: 'ignore',
    })
    await once(child, 'exit')
    for (const [index, row] of part.entries()) {
      const text = (ending: string) => {
        const path = join(out, `${first + index}.${ending}`)
        return existsSync(path) ? readFileSync(path, 'utf8') : ''
      }
      results.set(row, {
        code: Number(text('code') || Number.NaN),
        output: text('before') + text('out'),
      })
    }
    first += part.length
  }
}

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'twinspec-lines-'))
  const left = GUIDES.map((guide, index) => ({ guide, name: String(index) }))
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      await runGuide(next.guide, next.name)
  }
  // Two guides would have the same ports on one loopback.
  await Promise.all(isAlone ? [work(), work()] : [work()])
}, 900_000)
afterAll(() => rm(scratch, { recursive: true, force: true }))

describe.each(GUIDES)('$page', ({ rows }) => {
  it.each(rows)('$line', (row) => {
    const { code, output } = results.get(row) ?? { code: Number.NaN, output: '' }
    expect({ code, output }).toEqual({ code: row.code ?? 0, output })
    if (row.prints) expect(output).toMatch(row.prints)
  })
})

it('every command line of the guides is run, or has a reason', () => {
  const known = [
    ...GUIDES.flatMap(({ page, rows }) => rows.map(({ line }) => `${page}: ${line}`)),
    ...NOT_RUN.map(([page, line]) => `${page}: ${line}`),
  ]
  const written = PAGES.flatMap((page) => linesOf(page).map((line) => `${page}: ${line}`))
  expect([...new Set(known)].sort()).toEqual([...new Set(written)].sort())
  expect(known.length).toBe(new Set(known).size)
})
