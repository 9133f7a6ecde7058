import type { Bench, BenchOptions, Row } from '../bench.js'
import type { Measured, Tell } from '../rounds.js'
import { runSides } from '../sides.js'
import { buildRace, type Race } from './build.js'

/** The checks of `validators.ts` beside a hand-written one, six libraries, and JSON.parse of the same text. */
export const validatorBenches: readonly Bench[] = [
  { name: 'validators-check', run: check },
  { name: 'validators-explain', run: explain },
]

/** Times a check by hand; the last is the one that a WASM kernel is for. */
const AT_MOST = [1.1, 1.0, 0.95, 0.5]

/** Of JSON.parse of the block. */
const OF_PARSING = 0.5

async function check({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  const race = await prepared(report)
  const rows: Row[] = []
  for (const [index, name] of race.names.entries()) {
    const hear: Tell = (progress) => report(`${name}: ${progress}`)
    hear('whether all refuse the same')
    await running(race, { task: 'refuse', index, rounds }, hear)
    const sides = await running(race, { task: 'check', index, rounds }, hear)
    const [measured, byHand, ...others] = sides
    const parsing = others.at(-1)
    const peers = others.slice(0, -1).sort((a, b) => a.milliseconds - b.milliseconds)
    if (!measured || !byHand || !parsing) throw new Error(`nobody ran for ${name}`)
    const what = `check, ${name}`
    const isBlock = index === race.names.length - 1
    rows.push(
      { what, measured, against: byHand, atMost: AT_MOST[index] ?? Number.NaN },
      // Twice as fast as the best of them.
      ...peers.map((against, place) => ({ what, measured, against, ...(place === 0 && HALF) })),
      { what, measured, against: parsing, ...(isBlock && { atMost: OF_PARSING }) },
    )
  }
  return rows
}

const HALF = { atMost: 0.5 }

async function explain({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  const race = await prepared(report)
  const rows: Row[] = []
  for (const [index, name] of race.names.entries()) {
    const hear: Tell = (progress) => report(`${name}: ${progress}`)
    const [measured, against] = await running(race, { task: 'explain', index, rounds }, hear)
    if (!measured || !against) throw new Error(`nobody explained ${name}`)
    rows.push({ what: `explain, ${name}, one fault`, measured, against, atMost: 1 })
  }
  return rows
}

async function prepared(report: Tell): Promise<Race> {
  report('building all sides')
  return buildRace()
}

/** What `race.mjs` receives, besides where the subjects are. */
type Job = {
  readonly task: 'refuse' | 'check' | 'explain'
  /** Of the subject. */
  readonly index: number
  readonly rounds: number
}

/** A process of its own for each, as what one value taught the compiler would be in the way of the next. */
const running = (race: Race, job: Job, report: Tell): Promise<readonly Measured[]> =>
  runSides(race.program, { ...job, file: race.subjects }, report)
