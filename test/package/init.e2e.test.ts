import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../pack/packed.js'
import {
  beginProject,
  createParcels,
  installProject,
  type Parcels,
  TWINSPEC,
  takeOver,
  withStarted,
} from './init-walk.js'
import { run } from './installed.js'

let project: Parcels
let parcels = ''

beforeAll(async () => {
  project = await createParcels()
  parcels = project.parcels
})

afterAll(() => project?.remove())

const CALL = `import { createHttpClient } from './generated/http.client.js'
import { createRpcClient } from './generated/rpc.client.js'

const [url = ''] = process.argv.slice(2)
const { id } = await createHttpClient({ server: url, auth: { token: 'parcel-token' } }).sendParcel({ body: { to: 'Via Appia 7', grams: 850 } })
const rpc = createRpcClient({ server: url + '/rpc' })
console.log(id, (await rpc.parcelGet('p-1001')).status, await rpc.parcelCount())
`

describe('in an empty folder, from the package as it is published', () => {
  it('a project begins, is installed and generated, and its test passes', async () => {
    const said = await beginProject(parcels)
    expect(said).toMatch(
      /next:\n {2}mkdir -p vendor && cp .*\/twinspec-.*\.tgz vendor\/\n {2}npm install \.\/vendor\/twinspec-/,
    )
    const path = join(parcels, 'package.json')
    const manifest = JSON.parse(await readFile(path, 'utf8'))
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect(manifest.dependencies.twinspec).toBe(`^${version}`)
    await installProject(parcels)
    await run('npx', ['twinspec', 'generate'], parcels)
    await run('npm', ['test'], parcels)
    await run('npx', ['twinspec', 'lint', '--fail-on', 'warning'], parcels)
  })

  it('its mock and its server answer its clients, and the server keeps the contract', async () => {
    await writeFile(join(parcels, 'call.ts'), CALL)
    const tsx = join(parcels, 'node_modules/tsx/dist/cli.mjs')
    await withStarted([TWINSPEC, 'mock', '--port', '0'], parcels, async (url) => {
      expect(await run(process.execPath, [tsx, 'call.ts', url], parcels)).toBe('p-1001 waiting 1\n')
    })
    await withStarted([tsx, 'src/server.ts'], parcels, async (url) => {
      expect(await run(process.execPath, [tsx, 'call.ts', url], parcels)).toBe('p-1002 waiting 2\n')
      await run(
        'npx',
        [
          'twinspec',
          'conform',
          url,
          '--rate',
          '0',
          '--max-examples',
          '2',
          '--api-key',
          'parcel-token',
        ],
        parcels,
      )
    })
  })
})

// `init.trial.test.ts` takes over larger ones.
it('a document of another team is generated, compiles, is mocked and served', async () => {
  const file = join(ROOT, 'node_modules/@metamask/api-specs/dist/build/openrpc.json')
  await takeOver(parcels, ['MetaMask', '--from-openrpc', file, 'POST', '/', 'result'])
})
