import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  files,
  filesUnder,
  imports,
  isBarrel,
  isNode,
  isOurs,
  manifest,
  packageOf,
  packagesIn,
  ROOT,
  reachable,
  read,
  targetsOf,
} from './import-graph.js'

const READERS = [
  'src/emit',
  'src/lint',
  'src/diff',
  'src/conform',
  'src/mock',
  'src/init',
  'src/docs',
  'src/usage',
  'src/traffic',
]

const BELOW = ['src/schema', 'src/text', 'src/model', 'src/runtime']

/** Folder -> what it may reach, however many imports lie between. A folder always reaches itself. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'src/runtime': [],
  'src/text': ['src/runtime'],
  'src/schema': ['src/text', 'src/runtime'],
  'src/model': ['src/schema', 'src/text', 'src/runtime'],
  'src/read': BELOW,
  'src/traffic': BELOW,
  'src/emit': ['src/read', ...BELOW],
  'src/lint': ['src/read', ...BELOW],
  'src/usage': ['src/traffic', 'src/read', ...BELOW],
  'src/diff': ['src/usage', 'src/read', ...BELOW],
  'src/conform': ['src/traffic', 'src/read', ...BELOW],
  'src/report': ['src/read', ...BELOW],
  'src/mock': ['src/emit', 'src/read', ...BELOW],
  'src/init': ['src/read', ...BELOW],
  'src/docs': ['src/emit', 'src/usage', 'src/read', ...BELOW],
  'src/pack': [...['src/emit', 'src/lint', 'src/diff', 'src/usage'], ...['src/read', ...BELOW]],
  'src/compatibility': [
    ...['src/pack', 'src/mock', 'src/emit', 'src/lint', 'src/diff', 'src/usage', 'src/conform'],
    ...['src/traffic', 'src/read', ...BELOW],
  ],
  generated: ['src/runtime'],
  'src/service': ['generated', 'src/runtime'],
  'src/cli': ['src/read', ...BELOW, 'src/report', 'src/pack', 'src/compatibility', ...READERS],
  'src/toolkit.ts': ['src/read', ...BELOW, ...READERS],
  scripts: [
    'src/cli',
    'src/report',
    'src/pack',
    'src/compatibility',
    'src/toolkit.ts',
    'src/read',
    ...BELOW,
    ...READERS,
  ],
}

const entries = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target['twinspec-source'] ?? 'nothing'],
)

describe('imports point down only', () => {
  it('reads the files that there are', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(imports.length).toBeGreaterThan(300)
    expect(files.filter((file) => layerOf(file) === undefined)).toEqual([])
  })

  it.each(Object.entries(LAYERS))('%s reaches only %j', (layer, allowed) => {
    const chains = files
      .filter((file) => layerOf(file) === layer)
      .flatMap((file) => reachable(file))
      .filter(({ file }) => layerOf(file) !== layer && !allowed.includes(layerOf(file) ?? ''))
      .map(({ chain }) => chain.join(' -> '))
    expect(chains).toEqual([])
  })

  it('src has one cycle of imports, types and dynamic ones included: the recursion of checks over schemas', () => {
    const sources = files.filter((file) => file.startsWith('src/'))
    const cyclic = sources.filter((file) => {
      const reached = new Set([file, ...reachable(file).map((one) => one.file)])
      return imports.some(
        ({ from, specifier }) => reached.has(from) && targetsOf(from, specifier).includes(file),
      )
    })
    const checks = ['arrays', 'compile', 'evaluated', 'objects', 'unions']
    expect(cyclic.sort()).toEqual(checks.map((name) => `src/runtime/validate/${name}.ts`))
  })

  it('no import of ours leads nowhere', () => {
    const lost = imports.filter(
      ({ from, specifier }) =>
        isOurs(specifier) &&
        !targetsOf(from, specifier).every((target) => existsSync(join(ROOT, target))),
    )
    expect(lost.map(({ from, specifier }) => `${from}: ${specifier}`)).toEqual([])
  })
})

describe('the five laws', () => {
  it('1: the toolchain imports neither generated code nor the service, not even at run time', () => {
    const toolchain = files.filter(
      (file) => /^(src|scripts)\//.test(file) && !file.startsWith('src/service/'),
    )
    const fallen = toolchain
      .flatMap((file) => reachable(file, 'run time'))
      .filter(({ file }) => /^(generated|src\/service)\//.test(file))
    expect(fallen.map(({ chain }) => chain.join(' -> '))).toEqual([])
  })

  it('2: what other teams ship carries no spec machinery', () => {
    const shipped = files.filter((file) => file.startsWith('src/runtime/'))
    const carried = shipped
      .flatMap((file) => reachable(file))
      .filter(({ file }) => !file.startsWith('src/runtime/'))
    expect(carried.map(({ chain }) => chain.join(' -> '))).toEqual([])
  })

  it('3: no folder has a barrel, and only entries of the package re-export', () => {
    expect(files.filter((file) => /^(index|mod|main)\.[cm]?ts$/.test(basename(file)))).toEqual(
      files.filter((file) => ['src/cli/main.ts', 'src/service/main.ts'].includes(file)),
    )
    const doors = new Set(entries.map((entry) => entry.replace('./', '')))
    const sources = files.filter((file) => file.startsWith('src/') && !doors.has(file))
    expect(sources.filter((file) => isBarrel(read(file)))).toEqual([])
  })

  it('4: nothing but the service knows the service', () => {
    const knowing = files
      .filter((file) => file.startsWith('src/') && !file.startsWith('src/service/'))
      .flatMap((file) =>
        read(file)
          .split('\n')
          .flatMap((line, index) =>
            /zkt|queueId|chain_/i.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
          ),
      )
    expect(knowing).toEqual([])
  })

  it('5: the service imports generated code, public exports of the runtime, and libraries', () => {
    const foreign = imports.filter(
      ({ from, specifier }) =>
        from.startsWith('src/service/') &&
        isOurs(specifier) &&
        !/^twinspec\/runtime\//.test(specifier) &&
        !targetsOf(from, specifier).every((target) => /^(generated|src\/service)\//.test(target)),
    )
    expect(foreign.map(({ from, specifier }) => `${from}: ${specifier}`)).toEqual([])
  })
})

describe('the runtime stands by itself', () => {
  const runtime = imports.filter(({ from }) => from.startsWith('src/runtime/'))

  it('needs no Node anywhere but on Node: what asks for it is behind the `node` condition of package.json', () => {
    const entriesOfRuntime = files.filter((file) =>
      /^src\/runtime\/((link|codecs)\/)?(?!node-)[^/]+\.ts$/.test(file),
    )
    const reached = entriesOfRuntime.flatMap((entry) => [
      entry,
      ...reachable(entry, 'elsewhere').map(({ file }) => file),
    ])
    const needed = runtime.filter(
      ({ from, specifier, kind }) => isNode(specifier) && kind !== 'type' && reached.includes(from),
    )
    expect(reached).toContain('src/runtime/rpc/call.ts')
    expect(reached).toContain('src/runtime/link/port.ts')
    expect(reached).toContain('src/runtime/codecs/cbor.ts')
    expect(needed.map(({ from, specifier }) => `${from}: ${specifier}`)).toEqual([])
  })

  it.each(['wire', 'link'])(
    '%s does not import the other, and is below clients and servers',
    (folder) => {
      const above = ['wire', 'link', 'http', 'rpc', 'server'].filter((other) => other !== folder)
      const chains = files
        .filter((file) => file.startsWith(`src/runtime/${folder}/`))
        .flatMap((file) => reachable(file))
        .filter(({ file }) => above.some((other) => file.startsWith(`src/runtime/${other}/`)))
        .map(({ chain }) => chain.join(' -> '))
      expect(chains).toEqual([])
    },
  )

  it('has a file for each platform behind each of its names, and they differ', () => {
    for (const name of Object.keys(manifest.imports)) {
      const [node, elsewhere] = targetsOf('package.json', name)
      expect(node).toMatch(/\/node-[a-z-]+\.ts$/)
      expect(elsewhere).toMatch(/\/web-[a-z-]+\.ts$/)
      expect(imports.some(({ specifier }) => specifier === name)).toBe(true)
    }
  })

  it('imports no package but those that whole modules are made for', () => {
    const homes: Readonly<Record<string, RegExp>> = {
      viem: /^src\/runtime\/viem(\.ts|\/)/,
      abitype: /^src\/runtime\/contracts(\.ts|\/)/,
      msw: /^src\/runtime\/msw(\.ts|\/)/,
      'openapi-fetch': /^src\/runtime\/openapi-fetch\.ts/,
      fastify: /^src\/runtime\/fastify(\.ts|\/)/,
      valibot: /^src\/runtime\/valibot\.ts/,
      ws: /^src\/runtime\/(ws|link\/node-socket)\.ts/,
      zod: /^src\/runtime\/zod\.ts/,
    }
    const packages = runtime
      // The module of a codec is made for its package.
      .filter(({ from }) => !from.startsWith('src/runtime/codecs/'))
      .filter(({ from, specifier }) => !homes[packageOf(specifier) ?? '']?.test(from))
      .map(({ specifier }) => specifier)
      .filter((specifier) => !isOurs(specifier) && !isNode(specifier))
    expect(packages).toEqual([])
  })

  it.each(['errors', 'validate', 'http', 'rpc', 'server', 'operation'])(
    'twinspec/runtime/%s loads no package',
    (entry) => {
      const loaded = [
        `src/runtime/${entry}.ts`,
        ...reachable(`src/runtime/${entry}.ts`, 'static').map(({ file }) => file),
      ]
      const packages = imports.filter(
        ({ from, specifier, kind }) =>
          kind === 'static' && loaded.includes(from) && packageOf(specifier) !== undefined,
      )
      expect(packages).toEqual([])
    },
  )
})

describe('package.json', () => {
  it('exports nothing that is not in src', () => {
    expect(entries.length).toBeGreaterThan(5)
    expect(entries.filter((entry) => !existsSync(join(ROOT, entry)))).toEqual([])
  })

  it('builds each export from the source that it names', () => {
    for (const target of Object.values(manifest.exports)) {
      if (typeof target === 'string') continue
      const built = target['twinspec-source']?.replace('./src/', './dist/src/')
      expect([target.default, target.types]).toEqual([
        built?.replace(/\.ts$/, '.js'),
        built?.replace(/\.ts$/, '.d.ts'),
      ])
    }
  })

  it('has one module that knows openapi-typescript, which gets no updates (docs/coming-from-openapi-typescript.md)', () => {
    const knowing = imports.filter(({ specifier }) => specifier.startsWith('openapi-typescript'))
    expect(knowing.map(({ from }) => from)).toEqual(['src/emit/openapi-types.ts'])
  })

  it('has no dependency that neither the source nor generated code imports', () => {
    const used = packagesIn(imports)
    expect(Object.keys(manifest.dependencies).filter((name) => !used.has(name))).toEqual([])
  })

  it('declares what the published source imports, and for development what the service imports', () => {
    const published = { ...manifest.dependencies, ...manifest.peerDependencies }
    const undeclared = (all: object, some: typeof imports) =>
      [...packagesIn(some)].filter((name) => !(name in all))
    const isService = ({ from }: (typeof imports)[number]) =>
      /^(src\/service|scripts|generated)\//.test(from)
    expect(
      undeclared(
        published,
        imports.filter((one) => !isService(one)),
      ),
    ).toEqual([])
    const here = { ...manifest.dependencies, ...manifest.devDependencies }
    expect(undeclared(here, imports.filter(isService))).toEqual([])
  })

  it('asks users for no package that only the service imports', () => {
    const [theirs, used] = [true, false].map((isService) =>
      packagesIn(imports.filter(({ from }) => from.startsWith('src/service/') === isService)),
    )
    const asked = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]
    expect(asked.filter((name) => theirs?.has(name) && !used?.has(name))).toEqual([])
  })

  it('has no development dependency that nothing names', () => {
    const texts = [
      ...filesUnder('test', 'src', 'scripts').map(read),
      Object.values(manifest.scripts).join('\n'),
      read('tsconfig.json'),
      read('src/docs/snippet-library.js'),
    ].join('\n')
    const commands: Readonly<Record<string, RegExp>> = {
      '@biomejs/biome': /\bbiome\b/,
      '@types/pg': /['"]pg['"]/,
      '@types/semver': /['"]semver['"]/,
      '@types/ws': /['"]ws['"]/,
      '@types/node': /"types":\s*\["?\s*"node"/,
      typescript: /\btsc\b/,
    }
    const unused = Object.keys(manifest.devDependencies).filter(
      (name) => !(commands[name] ?? new RegExp(`['"\`]${name}[/'"\`]|\\b${name} `)).test(texts),
    )
    expect(unused).toEqual([])
  })
})

/** The row of the table that a file belongs to. */
function layerOf(file: string): string | undefined {
  return Object.keys(LAYERS).find((layer) => file === layer || file.startsWith(`${layer}/`))
}
