import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CORPORA, named } from '../conformance/corpora.js'
import { diagnose } from '../emit/strictest.js'
import { folderOf, twinspec } from './command-line.js'

const FOLDER = join(CORPORA, 'histories/bitcoin')
const VERSIONS = ['v24', 'v25', 'v26', 'v27', 'v28'].filter((one) =>
  existsSync(join(FOLDER, `${one}.json`)),
)

it.skipIf(VERSIONS.length === 0)(
  named('Bitcoin Core: every version generates code that compiles, typed as documented', VERSIONS),
  async () => {
    const folder = await folderOf({})
    const texts = new Map<string, string>()
    for (const version of VERSIONS) {
      const out = join(folder, version)
      const path = join(FOLDER, `${version}.json`)
      const run = await twinspec('generate', '--openrpc', path, '--out', out)
      expect({ version, ...run }).toMatchObject({ version, code: 0 })
      for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' }))
        if (/\.(ts|json)$/.test(name))
          texts.set(`${version}/${name}`, readFileSync(join(out, name), 'utf8'))
      texts.set(
        `${version}/use.ts`,
        `import type { RpcMethods } from './rpc.client.js'
type Block = RpcMethods['getblock']['result']
export const verbosity0: Block = '00'
export const fields = (block: Block) =>
  typeof block === 'string' ? block.length : [block.hash, block.tx]
export const verbosity: RpcMethods['getblock']['params'] = ['00', 2]
export const vsize = (all: RpcMethods['submitpackage']['result']) =>
  Object.values(all['tx-results'] ?? {}).map((one) => one.txid)
`,
      )
    }
    expect(diagnose(texts, 'strict')).toEqual([])
  },
)
