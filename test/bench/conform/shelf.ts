import type { Verdict } from '../../../src/conform/conform.js'
import { judgeShelf } from '../../conform/seeded/shelf/judge-shelf.js'
import {
  SHELF_DEFECTS,
  SHELF_UNCERTAIN,
  type ShelfDefect,
} from '../../conform/seeded/shelf/shelf-defects.js'
import { SHELF } from '../../conform/seeded/shelf/shelf-document.js'
import { startShelf } from '../../conform/seeded/shelf/shelf-server.js'
import { type Schemathesis, type SchemathesisRun, schemathesis, VERSION } from './schemathesis.js'

/**
 * Puts one defect after another into a shelf and runs `conform` and Schemathesis on it, both with their defaults and on the whole
 * document. Prints a row for each. Resolves with whether `conform` missed none.
 */
export const benchShelf = async (only = ''): Promise<boolean> => {
  const other = await schemathesis(SHELF)
  if (typeof other === 'string') process.stderr.write(`Schemathesis is left out: ${other}\n`)
  const theirs = typeof other === 'string' ? undefined : other
  const rows = Object.entries(SHELF_DEFECTS).flatMap(([kind, defects]) =>
    defects.map((defect) => ({ kind, defect })),
  )
  const chosen = rows.filter(({ defect }) => defect.fault.includes(only))
  const ours = createSide(await judge(undefined))
  const clean = theirs && (await runOn(theirs, undefined))
  const their = clean && createSide(clean)
  const lines =
    chosen.length === 0 ? [] : [row(['defect', 'twinspec conform', `Schemathesis ${VERSION}`])]
  for (const { kind, defect } of chosen) {
    const found = ours.add(defect, await judge(defect.fault))
    const theirFound = theirs && their?.add(defect, await runOn(theirs, defect.fault))
    lines.push(row([`${kind}: ${defect.fault}`, found, theirFound ?? 'not run']))
    process.stderr.write('.')
  }
  const doubtful = SHELF_UNCERTAIN.filter(([fault]) => fault.includes(only))
  for (const [fault] of doubtful) {
    ours.doubt(await judge(fault))
    if (theirs) their?.doubt(await runOn(theirs, fault))
    process.stderr.write('.')
  }
  process.stderr.write('\n')
  const [own, others] = [ours, their].map((side) => side?.totals())
  const names = Object.keys(own ?? {}) as readonly (keyof Totals)[]
  const sums = names.map((name) =>
    row([name, String(own?.[name]), String(others?.[name] ?? 'not run')]),
  )
  process.stdout.write(
    `${[...lines, '', row(['all', 'twinspec conform', `Schemathesis ${VERSION}`]), ...sums].join('\n')}\n`,
  )
  return own?.found === chosen.length
}

/** What a tool says of one shelf: `rule operation` -> nothing more. */
type Said = {
  readonly complaints: readonly { readonly what: string; readonly operation: string }[]
  readonly requests: number
  readonly seconds: number
}

type Totals = Readonly<
  Record<
    | 'found'
    | 'blamed right'
    | 'false alarms, a right server'
    | 'false alarms, what may be right'
    | 'requests, a right server'
    | 'seconds, a right server'
    | 'requests'
    | 'seconds',
    number
  >
>

/** Counts what is new beside a right server. */
const createSide = (clean: Said) => {
  const quiet = new Set(clean.complaints.map(({ what, operation }) => `${what} ${operation}`))
  const totals = { found: 0, blamed: 0, doubtful: 0, requests: 0, seconds: 0 }
  const fresh = (said: Said) => {
    totals.requests += said.requests
    totals.seconds += said.seconds
    return said.complaints.filter(({ what, operation }) => !quiet.has(`${what} ${operation}`))
  }
  return {
    add: ({ operation, by }: ShelfDefect, said: Said): string => {
      const complaints = fresh(said)
      const isBlamed = complaints.some((one) => one.operation === operation || one.operation === by)
      totals.found += Number(complaints.length > 0)
      totals.blamed += Number(isBlamed)
      return complaints.length === 0
        ? ''
        : isBlamed
          ? 'found'
          : 'found, another operation is blamed'
    },
    doubt: (said: Said): void => {
      totals.doubtful += fresh(said).length
    },
    totals: (): Totals => ({
      found: totals.found,
      'blamed right': totals.blamed,
      'false alarms, a right server': clean.complaints.length,
      'false alarms, what may be right': totals.doubtful,
      'requests, a right server': clean.requests,
      'seconds, a right server': Math.round(clean.seconds),
      requests: totals.requests,
      seconds: Math.round(totals.seconds),
    }),
  }
}

const judge = async (fault: string | undefined): Promise<Said> => {
  const { findings, requests, seconds }: Verdict = await judgeShelf(fault, {
    maxExamples: undefined,
  })
  return {
    complaints: findings.flatMap(({ rule, operations = [''] }) =>
      operations.map((operation) => ({ what: rule, operation })),
    ),
    ...{ requests, seconds },
  }
}

const runOn = async (run: Schemathesis, fault: string | undefined): Promise<Said> => {
  const shelf = await startShelf(fault)
  try {
    const { complaints, seconds }: SchemathesisRun = await run(shelf.url)
    return {
      complaints: [...complaints].flatMap(([what, operations]) =>
        operations.map((operation) => ({ what, operation })),
      ),
      ...{ requests: shelf.requests(), seconds },
    }
  } finally {
    await shelf.stop()
  }
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
