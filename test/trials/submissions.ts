import { createHttpClient } from '../../generated/http.client.js'
import { HttpError } from '../../src/runtime/errors.js'
import { pause } from './service-process.js'

/**
 * Posts one message for each text, a bounded number at a time, each exactly once: what was sent and not answered stays unknown.
 * `addresses` are asked in turn.
 */
export const submitMessages = async (
  texts: readonly string[],
  { addresses, keys, concurrency = 16, onAnswer = () => undefined }: SubmitOptions,
): Promise<readonly Submitted[]> => {
  const answers: Submitted[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < texts.length; index = next++) {
      const text = texts[index] as string
      const address = addresses[index % addresses.length] as string
      const key = keys[index % keys.length] as string
      answers[index] = await submit(address, key, text)
      onAnswer(index)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return answers
}

export type SubmitOptions = {
  readonly addresses: readonly string[]
  readonly keys: readonly string[]
  readonly concurrency?: number
  readonly onAnswer?: (index: number) => void
}

export type Submitted =
  | {
      readonly kind: 'accepted'
      readonly text: string
      readonly key: string
      readonly queueId: string
      readonly hash: string
    }
  | {
      readonly kind: 'refused'
      readonly text: string
      readonly status: number
      readonly error: string
    }
  /** The connection broke: nobody knows whether it was taken. */
  | { readonly kind: 'unknown'; readonly text: string }

const submit = async (
  address: string,
  key: string,
  text: string,
  until = Date.now() + 120_000,
): Promise<Submitted> => {
  try {
    const answer = await fetch(`${address}/zkt/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ arguments: text }),
      signal: AbortSignal.timeout(60_000),
    })
    const body = await answer.json()
    if (!answer.ok) return { kind: 'refused', text, status: answer.status, error: body.error }
    return { kind: 'accepted', text, key, queueId: body.queueId, hash: body.hash }
  } catch (error) {
    // A gateway that was just killed: wait a little, as a client would.
    await pause(50)
    // What nobody listened to was not taken, and may be sent again.
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: string }
    if (code === 'ECONNREFUSED' && Date.now() < until) return submit(address, key, text, until)
    return { kind: 'unknown', text }
  }
}

export const accepted = (answers: readonly Submitted[]) =>
  answers.filter((answer) => answer.kind === 'accepted')

/** Polls until each is completed or ended in error; answers the final records in the same order. */
export const finalRecords = async (
  address: string,
  queueIds: readonly string[],
  milliseconds: number,
): Promise<readonly FinalRecord[]> => {
  const client = createHttpClient({ server: address })
  const records: FinalRecord[] = []
  const deadline = Date.now() + milliseconds
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < queueIds.length; index = next++) {
      const queueId = queueIds[index] as string
      for (;;) {
        const record = await client
          .getZktTransaction({ path: { queueId } })
          .catch((error: unknown) => {
            if (error instanceof HttpError && error.status === 503) return undefined
            throw error
          })
        if (record?.status === 'completed' || record?.status === 'error') {
          records[index] = record
          break
        }
        if (Date.now() > deadline) throw new Error(`${queueId} is still ${record?.status}`)
        await pause(100)
      }
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return records
}

export type FinalRecord =
  | { readonly status: 'completed'; readonly transactionHash: string }
  | { readonly status: 'error'; readonly errorMessage: string }
