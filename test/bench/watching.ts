import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Bench, BenchOptions, Row } from './bench.js'
import { interleave } from './rounds.js'

/** From the save of a document until `generate --watch` says that everything is written. */
export const watchBench: Bench = { name: 'watch', run: watch }

const LIMIT = { name: 'limit', milliseconds: 300 }

async function watch({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-bench-'))
  await cp(join(ROOT, 'spec'), join(folder, 'spec'), { recursive: true })
  const documents = ['openapi', 'openrpc'].flatMap((kind) => [
    `--${kind}`,
    join(folder, 'spec', `${kind}.yaml`),
  ])
  const main = join(ROOT, 'src/cli/main.ts')
  const argv = ['--import', 'tsx', '-C', 'twinspec-source', main, 'generate', '--watch']
  const child = spawn(process.execPath, [...argv, ...documents, '--out', join(folder, 'out')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`generate --watch ended with exit code ${code}`)
  })
  // It ends when all is measured too, and nobody waits for that any longer.
  gone.catch(() => undefined)
  const lines = createInterface({ input: child.stderr })
  const generated = async () => {
    for (;;) {
      const [line] = await Promise.race([once(lines, 'line'), gone])
      if (/^generated \d+ files/.test(line)) return
      throw new Error(`generate --watch says: ${line}`)
    }
  }
  try {
    report('generating for the first time')
    await generated()
    const sides = ['paths/zkt.yaml', 'methods/net.yaml'].map((name) => {
      const file = join(folder, 'spec', name)
      return { name: `${name} saved`, run: () => saved(file, generated) }
    })
    // Not counted: the compiler is still learning.
    for (const { run } of [...sides, ...sides]) await run()
    const measured = await interleave(sides, rounds, report)
    return measured.map((one) => ({
      what: 'generate --watch, our documents',
      measured: one,
      against: LIMIT,
      atMost: 1,
    }))
  } finally {
    child.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Changes a sentence that the reference prints, so that something has to be written. */
async function saved(file: string, generated: () => Promise<void>) {
  const text = await readFile(file, 'utf8')
  const changed = text.replace(/^ *summary: .*$/m, (line) => `${line}.`)
  if (changed === text) throw new Error(`${file} has no summary to change`)
  const begun = performance.now()
  const done = generated()
  await writeFile(file, changed)
  await done
  return { milliseconds: performance.now() - begun }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
