import { expect } from 'vitest'
import { minedOn, outOfOrder, textsOf } from './mined.js'
import { accepted, finalRecords, submitMessages } from './submissions.js'

/** Many writes at once: all are mined, in the order of their nonces, and none is left behind. */
export const writesTrial = async (options: WritesTrial): Promise<WritesFigures> => {
  const { address, nodeUrl, keys, writes } = options
  const run = Math.random().toString(36).slice(2, 8)
  const texts = Array.from({ length: writes }, (_, index) => `${run} ${index}`)
  const started = performance.now()
  const answers = await submitMessages(texts, { addresses: [address], keys, concurrency: 32 })
  const taken = accepted(answers)
  expect(answers.filter(({ kind }) => kind !== 'accepted')).toEqual([])
  const records = await finalRecords(
    address,
    taken.map(({ queueId }) => queueId),
    120_000,
  )
  const seconds = (performance.now() - started) / 1000
  expect(records.filter(({ status }) => status !== 'completed')).toEqual([])
  const mined = await minedOn(nodeUrl)
  const counts = textsOf(mined)
  expect(texts.filter((text) => counts.get(text) !== 1)).toEqual([])
  expect(outOfOrder(mined)).toEqual([])
  return { writes, keys: keys.length, seconds, perSecond: Math.round(writes / seconds) }
}

export type WritesTrial = {
  readonly address: string
  readonly nodeUrl: string
  readonly keys: readonly string[]
  readonly writes: number
}

export type WritesFigures = {
  readonly writes: number
  readonly keys: number
  readonly seconds: number
  readonly perSecond: number
}
