import { HttpError } from '../../../src/runtime/errors.js'
import type { HttpContext } from '../../../src/runtime/server.js'
import { answersOf, api, httpOperations } from '../../conformance/documents.js'

/** What was submitted, and how far it has come: a record takes one step each time that it is looked at. */
export const createSubmissions = (now: () => number) => {
  const records = new Map<string, Submitted>()
  const hashes = new Set<string>()
  let count = 0
  const submit = (): Submitted => {
    count += 1
    const digits = count.toString(16).padStart(12, '0')
    const queueId = `5eeded00-0000-4000-8000-${digits}`
    const hash = `0x${digits.repeat(6).slice(0, 64)}`
    const submitted = { queueId, hash, createdAt: now(), looks: { count: 0 } }
    records.set(queueId, submitted)
    hashes.add(hash)
    return submitted
  }
  const byForm = {
    message: () => written(submit(), {}),
    call: ({ body }: Input) => {
      const { abi = [], method, id, wait } = body
      const lines = abi.filter((line) => nameOf(line) === method)
      if (lines.length === 0) throw refusal(`the ABI has no function ${method}`, id)
      if (lines.some((line) => /\)[^)]*\b(view|pure)\b/.test(line)))
        return answer({ success: true, output: ['112'], ...echo(id) })
      const submitted = submit()
      const receipt = { ...RECEIPT, transactionHash: submitted.hash }
      return written(submitted, { ...echo(id), ...(wait === true && { receipt }) })
    },
    deploy: ({ body: { id } }: Input) => {
      const { hash } = submit()
      return answer({ ...DEPLOYED, hash, id: undefined, ...echo(id) })
    },
  }
  const look = ({ path }: { readonly path: { readonly queueId: string } }) => {
    const queueId = path.queueId.toLowerCase()
    const found = records.get(queueId)
    if (!found) throw notFound()
    found.looks.count += 1
    const state = STATES[found.looks.count - 1] ?? 'completed'
    const createdAt = new Date(found.createdAt).toISOString()
    const processedAt = new Date(found.createdAt + 1_000).toISOString()
    const ended = { transactionHash: found.hash, errorMessage: null, createdAt, processedAt }
    return answer(
      { status: state, queueId, ...(state === 'completed' && ended) },
      { 'cache-control': 'no-store' },
    )
  }
  return { byForm, look, isOurs: (hash: string) => hashes.has(hash.toLowerCase()) }
}

export type Submitted = {
  readonly queueId: string
  readonly hash: string
  readonly createdAt: number
  readonly looks: { count: number }
}

type Body = {
  readonly abi?: readonly string[]
  readonly method?: string
  readonly id?: number | string
  readonly wait?: boolean
}
type Input = { readonly body: Body }

export type HandlerOf = (input: Input, context: HttpContext) => unknown

const STATES = ['pending', 'processing']

const answer = (body: object, headers = {}) => ({ status: 200, headers, body })

const written = ({ hash, queueId }: Submitted, more: object) =>
  answer({ success: true, hash, queueId, ...more })

const echo = (id: unknown) => (id === undefined ? {} : { id })

const nameOf = (line: string): string | undefined =>
  /^\s*function\s+([A-Za-z_$][\w$]*)/.exec(line)?.[1]

const refusal = (error: string, id: unknown): HttpError =>
  new HttpError({
    operation: 'submission',
    status: 400,
    message: error,
    body: { success: false, error, errorCode: 'UNKNOWN_METHOD', ...echo(id) },
  })

const notFound = (): HttpError =>
  new HttpError({
    operation: 'getZktTransaction',
    status: 404,
    message: 'Transaction not found',
    body: { error: 'Transaction not found' },
  })

const shown = (name: string): Readonly<Record<string, unknown>> => {
  const operation = httpOperations.find(({ id }) => id === 'tryZkt')
  const found = operation && answersOf(operation).find((one) => one.name === name)
  if (!found) throw new Error(`${api.title} shows no answer ${name}`)
  return found.value as Record<string, unknown>
}

const DEPLOYED = shown('deploy')
export const RECEIPT = shown('callWriteWait').receipt as Readonly<Record<string, unknown>>
