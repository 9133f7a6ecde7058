import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectRpc } from '../../src/emit/projection.js'
import { type ApiFiles, findDocuments, loadApi } from '../../src/read/load.js'
import type { Bench, Sized } from './bench.js'
import { compiledProgram } from './compiled.js'
import type { Job } from './generation-side.js'
import { githubDocument } from './github.js'
import { type Cost, interleave, type Measured } from './rounds.js'

/** Times openapi-typescript alone, of GitHub's document; the others are small, so that what both load counts. */
const AT_MOST = 1.5

/** Generation of everything, against openapi-typescript alone on the same input. */
export const generationBenches: readonly Bench[] = [
  generation('generation-own', 'spec/ of this repository', ownDocuments),
  {
    ...generation('generation-ethereum', 'execution-apis, 2 MB', () => ({ openrpc: ETHEREUM })),
    missing: () => (existsSync(ETHEREUM) ? undefined : 'there is no ../shared/corpora here'),
  },
  {
    ...generation(
      'generation-github',
      'GitHub, 13 MB',
      async () => ({ openapi: await githubDocument() }),
      AT_MOST,
    ),
    isLarge: true,
  },
]

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ETHEREUM = join(ROOT, '../shared/corpora/execution-apis/openrpc.json')

function ownDocuments() {
  return findDocuments(join(ROOT, 'spec'))
}

function generation(
  name: string,
  what: string,
  documents: () => Documents | Promise<Documents>,
  atMost?: number,
): Bench {
  return {
    name,
    run: async ({ rounds, report }) => {
      const files = await documents()
      const folder = await mkdtemp(join(tmpdir(), 'twinspec-bench-'))
      try {
        const inputs = [
          ...(files.openapi ? [files.openapi] : []),
          ...(files.openrpc ? [await projected(files.openrpc, folder)] : []),
        ]
        const program = await compiledProgram('generation-side')
        const sides = [
          { name: 'twinspec', run: () => inItsOwnProcess(program, { kind: 'twinspec', files }) },
          {
            name: 'openapi-typescript',
            run: () => inItsOwnProcess(program, { kind: 'openapi-typescript', files: inputs }),
          },
        ]
        const [measured, against] = await interleave(sides, rounds, report)
        if (!measured || !against) throw new Error('nobody ran')
        const target = atMost === undefined ? {} : { atMost }
        return [
          { what: `generation, ${what}`, measured, against, ...target },
          {
            what: `peak of memory, ${what}`,
            measured: heldBy(measured),
            against: heldBy(against),
            ...target,
          },
        ]
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

const heldBy = ({ name, megabytes = Number.NaN }: Measured): Sized => ({
  name,
  bytes: megabytes * 2 ** 20,
})

type Documents = { readonly [kind in keyof ApiFiles]: string | undefined }

/** What openapi-typescript can read of an OpenRPC document: our projection, made before the clock runs. */
async function projected(openrpc: string, folder: string): Promise<string> {
  const file = join(folder, 'rpc.openapi.json')
  await writeFile(file, JSON.stringify(projectRpc(await loadApi({ openrpc }))))
  return file
}

const inItsOwnProcess = (program: string, job: Job): Promise<Cost> =>
  new Promise((resolve, reject) => {
    const child = fork(program, { execArgv: [] })
    child.once('message', (cost) => resolve(cost as Cost))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${job.kind} ended with exit code ${code}`)))
    child.send(job)
  })
