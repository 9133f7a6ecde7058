import type { Limits } from '../operation.js'
import type { Packaging } from './match.js'

/** Collects the calls of one turn and flushes them together. */
export const coalesce = <Call>(flush: (calls: readonly Call[]) => void) => {
  const waiting: Call[] = []
  return (call: Call): void => {
    if (waiting.push(call) === 1) queueMicrotask(() => flush(waiting.splice(0)))
  }
}

/**
 * Calls in groups that each stay within `batchSize` items and `payloadBytes` of body, in the order given. Calls that are
 * larger than a limit by themselves are in `tooLarge`.
 */
export const splitCalls = <Call extends Sendable>(
  calls: readonly Call[],
  limits: Limits = {},
): {
  readonly groups: readonly (readonly Call[])[]
  readonly tooLarge: readonly TooLarge<Call>[]
} => {
  const sized = calls.map((call) => ({ call, bytes: bytesOf(call.text) }))
  const isTooLarge = ({ call, bytes }: Sized<Call>) => bytes > mostBytes(call, limits)
  const groups = planBatches(
    sized.filter((one) => !isTooLarge(one)),
    limits,
  )
  return {
    groups: groups.map((group) => group.map(({ call }) => call)),
    tooLarge: sized
      .filter(isTooLarge)
      .map(({ call, bytes }) => ({ call, bytes, most: mostBytes(call, limits) })),
  }
}

/** A batch of one remains a batch, unless its brackets would exceed the limit. */
export const packagingOf = (
  calls: readonly Sendable[],
  single: Packaging,
  limits: Limits | undefined,
): Packaging => {
  const [first, second] = calls
  if (first === undefined || second !== undefined) return 'batch'
  return isLonger(first.text, bytesIn(limits) - BRACKETS) ? 'single' : single
}

/** Items in groups within the limits, in the order given. One that is larger than `payloadBytes` has a group of its own. */
export const planBatches = <Item extends { readonly bytes: number }>(
  items: readonly Item[],
  limits: Limits,
): readonly (readonly Item[])[] => {
  const { batchSize = Number.POSITIVE_INFINITY } = limits
  const groups: Item[][] = []
  let bytes = 0
  for (const item of items) {
    const group = groups.at(-1)
    const joined = bytes + COMMA + item.bytes
    if (group === undefined || group.length >= batchSize || joined > bytesIn(limits)) {
      groups.push([item])
      bytes = BRACKETS + item.bytes
    } else {
      group.push(item)
      bytes = joined
    }
  }
  return groups
}

/** A call as it is sent, with the limits of its method. */
type Sendable = {
  readonly text: string
  readonly method: { readonly operation: { readonly limits?: Limits } }
}

type Sized<Call> = { readonly call: Call; readonly bytes: number }

type TooLarge<Call> = Sized<Call> & { readonly most: number }

const mostBytes = ({ method }: Sendable, limits: Limits): number =>
  Math.min(bytesIn(limits), bytesIn(method.operation.limits))

const bytesIn = ({ payloadBytes = Number.POSITIVE_INFINITY }: Limits = {}): number => payloadBytes

const BRACKETS = 2
const COMMA = 1

/** The bytes of a text in UTF-8. */
const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** No character takes more than three bytes, so that most texts need not be counted. */
const isLonger = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && bytesOf(text) > bytes
