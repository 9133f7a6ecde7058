import { isCall } from '../runtime/rpc/match.js'
import { isObject } from '../runtime/validate/json-value.js'
import { itemsOf, tryParseJson } from '../text/json-text.js'
import {
  lazy,
  type Message,
  type RecordedConnection,
  type Recording,
  recordingOf,
  type UnreadFrame,
} from './recording.js'

/** A message that one side sent: a text, or why there is none. */
export type RecordedFrame = Pick<Recording, 'line' | 'pointer' | 'time'> & {
  readonly sender: 'client' | 'server'
  readonly text: string | UnreadFrame
}

/**
 * Creates a reader for the frames of one connection, in their order. Calls and responses are matched by their ids, for each side
 * on its own, as clients match them. A text with calls and its responses is one recording. A text of notifications has HTTP 204,
 * responses have HTTP 200. A frame that cannot be read, and a response without a call, are recordings with `unread`.
 */
export const createConnectionReader = (connection: RecordedConnection): ConnectionReader => {
  const pending = { client: createPending(), server: createPending() }
  const headers = connection.headers.filter(([name]) => name.toLowerCase() !== 'content-type')

  const recording = (frame: Sent, response?: { readonly status: number } & Message): Recording => ({
    ...recordingOf(
      { file: connection.file, line: frame.line, pointer: frame.pointer, time: frame.time },
      {
        method: 'POST',
        url: connection.url,
        headers: [...headers, JSON_TYPE],
        hasBody: true,
        lacksHeaders: connection.lacksHeaders,
        ...{ wire: () => frame.text, json: lazy(() => tryParseJson(frame.text)?.value) },
      },
      response && {
        ...{ status: response.status, lacksHeaders: true },
        headers: response.status === 204 ? [] : [JSON_TYPE],
        ...{ wire: response.text, json: response.value },
      },
    ),
    ...{ connection, sender: frame.sender },
  })
  const unread = (frame: RecordedFrame, unread: UnreadFrame): Recording => ({
    ...recording({ ...frame, text: typeof frame.text === 'string' ? frame.text : '' }),
    unread,
  })
  const end = ({ sent, texts }: Pending): Recording => {
    const [only = '', ...others] = texts
    if (texts.length === 0) return recording(sent)
    const text = others.length === 0 ? only : `[${texts.map(withoutBrackets)}]`
    return recording(sent, { status: 200, ...messageIn(text) })
  }

  /** The responses in a text: those of a batch may be in several texts. */
  const respond = (frame: Sent, members: readonly Member[]): readonly Recording[] => {
    const own = pending[frame.sender === 'client' ? 'server' : 'client']
    const owners = new Set<Pending>()
    let strays = 0
    for (const { value } of members) {
      const owner = own.take(value)
      if (owner) owners.add(owner)
      else strays += 1
    }
    const isWhole = members.length === membersIn(frame.text).length
    const text = isWhole ? frame.text : `[${members.map((one) => one.text)}]`
    const done = [...owners].filter((owner) => {
      owner.texts.push(text)
      // A batch has one array, so that a response that it lacks never arrives.
      return owner.ids.size === 0 || text.trimStart().startsWith('[')
    })
    for (const one of done) own.remove(one)
    const unmatched = { reason: 'not-recorded', words: STRAY } as const
    return [...done.map(end), ...Array.from({ length: strays }, () => unread(frame, unmatched))]
  }

  const request = (frame: Sent, members: readonly Member[]): readonly Recording[] => {
    const isSilent = members.length > 0 && members.every(({ value }) => isNotification(value))
    if (isSilent) return [recording(frame, { status: 204, text: () => '', value: () => undefined })]
    const ids = members.flatMap(({ value }) =>
      isObject(value) && value.id !== undefined ? [value.id] : [],
    )
    const dropped = pending[frame.sender].add({ sent: frame, ids: new Set(ids), texts: [] })
    return dropped ? [end(dropped)] : []
  }

  return {
    read: (frame) => {
      const { text } = frame
      if (typeof text !== 'string') return [unread(frame, text)]
      const sent: Sent = { ...frame, text }
      const members = membersIn(text)
      const isMessage = members.some(({ value }) => isObject(value))
      // A server responds to a request that it cannot read.
      if (!isMessage && frame.sender === 'server')
        return [unread(frame, { reason: 'json', words: NO_MESSAGE })]
      const responses = members.filter(({ value }) => isResponse(value))
      if (responses.length === 0) return request(sent, members)
      const others = members.filter((one) => !responses.includes(one))
      const rest = { ...sent, text: `[${others.map((one) => one.text)}]` }
      return [...respond(sent, responses), ...(others.length === 0 ? [] : request(rest, others))]
    },
    end: () => [...pending.client.all(), ...pending.server.all()].map(end),
  }
}

export type ConnectionReader = {
  readonly read: (frame: RecordedFrame) => readonly Recording[]
  /** The calls without a response. */
  readonly end: () => readonly Recording[]
}

type Sent = RecordedFrame & { readonly text: string }

/** A text with calls whose responses are not complete. */
type Pending = {
  readonly sent: Sent
  readonly ids: Set<unknown>
  readonly texts: string[]
}

const createPending = () => {
  const all = new Set<Pending>()
  return {
    all: () => [...all],
    /** Returns the oldest one if there are too many. */
    add: (one: Pending): Pending | undefined => {
      all.add(one)
      const [oldest] = all
      if (all.size <= MOST_PENDING || !oldest) return undefined
      all.delete(oldest)
      return oldest
    },
    remove: (one: Pending): void => void all.delete(one),
    /** The text with the call of a response; the oldest one if a side used an id twice. */
    take: (response: unknown): Pending | undefined => {
      const { id, error } = Object(response)
      for (const one of all) if (one.ids.delete(id)) return one
      // An error without an id, such as a parse error, is the response to the only pending text.
      const [only] = all
      if (id != null || error === undefined || all.size > 1 || !only) return undefined
      only.ids.clear()
      return only
    },
  }
}

/**
 * The text of a frame by its opcode (RFC 6455, 5.2); undefined for a control frame, such as a ping. An opcode that was not
 * recorded is that of a text.
 */
export const frameText = (opcode: unknown, text: unknown): string | UnreadFrame | undefined => {
  if (typeof opcode === 'number' && opcode >= 8) return undefined
  if (opcode === 2) return { reason: 'bytes', words: 'it is binary' }
  if (opcode === 0) return { reason: 'incomplete', words: 'it is a fragment of a message' }
  return typeof text === 'string' ? text : { reason: 'not-recorded', words: 'it has no text' }
}

/** Requests of a side without a response; real ones wait for some seconds. */
const MOST_PENDING = 1_000

type Member = { readonly value: unknown; readonly text: string }

/** The members of a batch, or the one message; none of a text that is not JSON. */
const membersIn = (text: string): readonly Member[] => {
  const parsed = tryParseJson(text)
  if (!parsed) return []
  const { value } = parsed
  if (!Array.isArray(value)) return [{ value, text }]
  const texts = itemsOf(text)
  return value.map((one: unknown, index) => ({ value: one, text: texts[index] ?? '' }))
}

/** Whether a message is a Response object (JSON-RPC 2.0, 5). */
export const isResponse = (value: unknown): boolean =>
  isObject(value) &&
  !isCall(value) &&
  (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'))

/** Whether a message is a call without a response (JSON-RPC 2.0, 4.1). */
export const isNotification = (value: unknown): boolean =>
  isObject(value) && typeof value.method === 'string' && value.id === undefined

const messageIn = (text: string): Message => ({
  text: () => text,
  value: lazy(() => tryParseJson(text)?.value),
})

const withoutBrackets = (text: string): string => text.trim().replace(/^\[(.*)\]$/s, '$1')

const JSON_TYPE = ['content-type', 'application/json'] as const
const STRAY = 'it is a response, and no call with its id was recorded before it'
const NO_MESSAGE = 'it is no JSON-RPC message'
