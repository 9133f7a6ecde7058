import { expect } from 'vitest'
import { type Mined, minedOn, outOfOrder, textsOf } from './mined.js'
import { pause, type ServiceProcess } from './service-process.js'
import {
  accepted,
  type FinalRecord,
  finalRecords,
  type Submitted,
  submitMessages,
} from './submissions.js'

/**
 * Submissions go on while gateways are killed at random moments and started again, and the node is killed meanwhile where
 * `crashNode` says how. Afterwards the chain itself is read: every accepted submission is there exactly once, every nonce of
 * every wallet was used once, and every status tells the same.
 */
export const crashTrial = async (options: CrashTrial): Promise<CrashFigures> => {
  const { gateways, nodeUrl, keys, submissions, crashes } = options
  const run = Math.random().toString(36).slice(2, 8)
  const texts = Array.from({ length: submissions }, (_, index) => `${run} ${index}`)
  const started = performance.now()
  let answered = 0
  const sending = submitMessages(texts, {
    addresses: gateways.map(({ url }) => url),
    keys,
    concurrency: 8,
    onAnswer: () => {
      answered += 1
    },
  })
  let over = false
  const killing = killAtRandom({ ...options, isOver: () => over, progress: () => answered })
  const answers = await sending
  over = true
  const kills = await killing
  expect(kills).toBe(crashes)
  for (const gateway of gateways) await gateway.ready()

  const taken = accepted(answers)
  const records = await recordsOf(gateways, taken)
  const mined = await untilAllMined(nodeUrl, taken)
  const counts = textsOf(mined)
  const wrong = taken.filter(({ text }) => counts.get(text) !== 1)
  expect(wrong.map(({ text }) => `${text}: mined ${counts.get(text) ?? 0} times`)).toEqual([])
  // What was reported to be at its end stays so, whatever the chain lost since.
  expect(await recordsOf(gateways, taken)).toEqual(records)
  expect([...counts].filter(([, count]) => count > 1)).toEqual([])
  expect(outOfOrder(mined)).toEqual([])
  expect(records.filter(({ status }) => status !== 'completed')).toEqual([])
  const hashes = new Map(mined.map(({ hash, input }) => [hash, input]))
  taken.forEach(({ text, hash }, index) => {
    expect(records[index]).toMatchObject({ transactionHash: hash })
    expect(hashes.has(hash), `${text} is not on the chain under its hash`).toBe(true)
  })
  return {
    submissions,
    accepted: taken.length,
    unknown: answers.filter(({ kind }) => kind === 'unknown').length,
    refused: refusals(answers),
    mined: counts.size,
    kills,
    seconds: Math.round((performance.now() - started) / 100) / 10,
  }
}

export type CrashTrial = {
  readonly gateways: readonly ServiceProcess[]
  readonly nodeUrl: string
  readonly keys: readonly string[]
  readonly submissions: number
  readonly crashes: number
  /** kill -9 of the node, which is then started again from what it saved. */
  readonly crashNode?: () => Promise<void>
}

export type CrashFigures = {
  readonly submissions: number
  readonly accepted: number
  readonly unknown: number
  readonly refused: Readonly<Record<string, number>>
  readonly mined: number
  readonly kills: number
  readonly seconds: number
}

/** Kills come evenly over the submissions, each at a random moment of its share. */
const killAtRandom = async ({
  gateways,
  submissions,
  crashes,
  crashNode,
  isOver,
  progress,
}: CrashTrial & {
  readonly isOver: () => boolean
  readonly progress: () => number
}): Promise<number> => {
  for (let kill = 0; kill < crashes; kill += 1) {
    const due = ((kill + Math.random()) * submissions) / crashes
    while (progress() < due && !isOver()) await pause(5)
    await pause(Math.random() * 50)
    const gateway = gateways[kill % gateways.length] as ServiceProcess
    if (crashNode !== undefined && kill % 4 === 0) await crashNode()
    await gateway.crash()
    await gateway.start()
  }
  return crashes
}

/** A node that was killed has lost its last blocks, and gets again what was in them a little later. */
const untilAllMined = async (
  nodeUrl: string,
  taken: readonly { readonly text: string }[],
): Promise<readonly Mined[]> => {
  for (const end = Date.now() + 60_000; ; ) {
    const mined = await minedOn(nodeUrl)
    const counts = textsOf(mined)
    if (taken.every(({ text }) => counts.has(text)) || Date.now() > end) return mined
    await pause(500)
  }
}

const recordsOf = (
  gateways: readonly ServiceProcess[],
  taken: readonly { readonly queueId: string }[],
): Promise<readonly FinalRecord[]> => {
  const queueIds = taken.map(({ queueId }) => queueId)
  return finalRecords((gateways[0] as ServiceProcess).url, queueIds, 180_000)
}

const refusals = (answers: readonly Submitted[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    if (answer.kind !== 'refused') continue
    const name = `${answer.status} ${answer.error}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
