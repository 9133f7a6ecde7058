import { isDeepStrictEqual } from 'node:util'
import { createPages, type Pages } from './browser.js'
import { makeProject, type Outcome, writeEntry } from './project.js'
import { runProgram } from './run-program.js'
import { locate, type Runtime } from './runtimes.js'
import { startService } from './service.js'
import type { Cell, Column, Table } from './table.js'
import { type Use, usesOf } from './uses.js'

/**
 * Uses each part of the package of this repository's documents in each runtime, by a program of its own, against a service
 * on the loopback. Throws where a part has no program, and where the package cannot be made or installed.
 */
export const tryOut = async (runtimes: readonly Runtime[], options: Options): Promise<Table> => {
  const { place, isOffline, report } = options
  report('packing and installing the package …')
  const { app, parts } = await makeProject(place, isOffline)
  const { uses, unused } = usesOf(parts)
  if (unused.length > 0)
    throw new Error(`no program uses ${unused.join(', ')}: give each a row in uses.ts`)
  const located = await locate(runtimes)
  const isBrowsed = located.some(
    ({ runtime, found }) => runtime.platform === 'browser' && found.kind === 'found',
  )
  const pages = isBrowsed ? await createPages(app) : undefined
  const service = await startService((path) => pages?.files(path))
  try {
    const columns: Column[] = []
    for (const { runtime, found } of located) {
      if (found.kind === 'absent') {
        const cell = { kind: 'untried', why: found.why } as const
        columns.push({ runtime, cells: uses.map(() => cell) })
        continue
      }
      let done = 0
      const scene = { app, url: service.url, runtime, program: found.program, pages }
      const cells = await inTurns(uses, async (use) => {
        const cell = await tried(use, scene)
        done += 1
        report(`${runtime.title} ${found.version}: ${done} of ${uses.length}`)
        return cell
      })
      columns.push({ runtime, version: found.version, cells })
    }
    return { uses, columns }
  } finally {
    await pages?.close()
    await service.close()
  }
}

export type Options = {
  /** A folder that is there and empty. */
  readonly place: string
  /** Whether peers are taken from this repository, and not from the registry. */
  readonly isOffline: boolean
  readonly report: (words: string) => void
}

type Scene = {
  readonly app: string
  /** Of the service. */
  readonly url: string
  readonly runtime: Runtime
  readonly program: string
  readonly pages: Pages | undefined
}

const tried = async (use: Use, scene: Scene): Promise<Cell> => {
  const { id, platform, mayEval } = scene.runtime
  const why = use.notIn?.[id] ?? use.notIn?.[platform]
  if (why !== undefined) return { kind: 'not-meant', why }
  const outcome = await ran(use, scene).catch((error: Error): Outcome => ({ fault: error.message }))
  if (outcome.fault !== undefined) return { kind: 'fails', why: short(outcome.fault) }
  if (outcome.mayEval !== mayEval)
    return { kind: 'fails', why: `eval is ${outcome.mayEval ? 'allowed' : 'forbidden'} there` }
  const remark = use.remarks?.[platform]
  if (isDeepStrictEqual(outcome.answer, use.wanted))
    return { kind: 'works', ...(remark !== undefined && { why: remark }) }
  const [got, wanted] = [outcome.answer, use.wanted].map((value) => JSON.stringify(value))
  return { kind: 'fails', why: `it returned ${got}, and not ${wanted}` }
}

const ran = async (use: Use, { app, url, runtime, program, pages }: Scene): Promise<Outcome> => {
  const entry = await writeEntry(app, { platform: runtime.platform, program: use.program, url })
  if (runtime.platform !== 'browser') return runProgram([program, ...runtime.flags, entry], app)
  if (pages === undefined) throw new Error('no browser was started')
  const name = await pages.bundle(entry)
  return pages.open(`${url}/${runtime.mayEval ? 'page' : 'strict'}/${name}`)
}

/** One line, of a length that a table's note may have. */
const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** In order, a few at a time: each is a process. */
const inTurns = async <In, Out>(
  list: readonly In[],
  work: (one: In) => Promise<Out>,
): Promise<readonly Out[]> => {
  const results: Out[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < list.length) {
      const index = next++
      results[index] = await work(list[index] as In)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

const AT_ONCE = 2
