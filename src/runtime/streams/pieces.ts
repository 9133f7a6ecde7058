import type { StreamContent } from '../operation.js'
import { writeJson } from '../shared/json.js'
import type { SequentialFormat, StreamFormat } from '../shared/media-type.js'
import { createEventParser, type ServerEvent } from './event-stream.js'

/** The text of an item, as an event; items of lines and sequences have only data. */
export type Piece = ServerEvent & {
  /** Whether its data may be the beginning of a longer number (RFC 7464, 2.4). */
  readonly isCutOff?: true
}

/** Divides the text of a stream into the texts of its items. */
export type Splitter = {
  /** The items that end in this chunk. */
  readonly push: (text: string) => readonly Piece[]
  /** The items that the end of the stream ends. */
  readonly end: () => readonly Piece[]
  /** The data of an incomplete event at the end of the stream. */
  readonly pending: () => string | undefined
  readonly lastEventId: () => string
  readonly retry: () => number | undefined
  /** The number of characters of an incomplete item. */
  readonly waiting: () => number
}

export const createSplitter = (format: StreamFormat, lastEventId: string): Splitter => {
  if (format === 'events') return { ...createEventParser(lastEventId), end: () => [] }
  const isSequence = format === 'sequence'
  const separator = isSequence ? RECORD_SEPARATOR : '\n'
  let rest = ''
  const add = (found: Piece[], text: string): void => {
    const data = text.trim()
    if (data === '') return
    const isCutOff = isSequence && /^[-\w]/.test(data) && !/\s$/.test(text)
    found.push(isCutOff ? { data, isCutOff } : { data })
  }
  return {
    push: (text) => {
      const found: Piece[] = []
      let at = 0
      for (;;) {
        const end = text.indexOf(separator, at)
        if (end === -1) break
        add(found, rest + text.slice(at, end))
        rest = ''
        at = end + 1
      }
      rest += text.slice(at)
      return found
    },
    end: () => {
      const found: Piece[] = []
      add(found, rest)
      rest = ''
      return found
    },
    pending: () => undefined,
    lastEventId: () => '',
    retry: () => undefined,
    waiting: () => rest.length,
  }
}

/** The texts of the items in a whole text. */
export const splitItems = (text: string, format: StreamFormat): readonly Piece[] => {
  const splitter = createSplitter(format, '')
  return [...splitter.push(text), ...splitter.end()]
}

/** The item of a piece. Throws a SyntaxError if its data must be JSON and is not, or is cut off. */
export const itemOf = (piece: Piece, content: StreamContent): unknown => {
  if (piece.isCutOff && content.data === 'json') throw new SyntaxError('the text is truncated')
  const data = readData(piece.data, content.data)
  return content.item === 'data' ? data : { ...piece, data }
}

const readData = (text: string, kind: StreamContent['data']): unknown => {
  if (kind === 'json') return JSON.parse(text)
  if (kind === 'text' || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** RFC 7464, 2.2: each text begins with it. */
const RECORD_SEPARATOR = '\u001e'

/** The text of a body with these items. */
export const writeItems = (items: readonly unknown[], format: SequentialFormat): string =>
  items.map((item) => framedJson(writeJson(item), format)).join('')

/** A JSON text with the separators of its format. */
export const framedJson = (text: string, format: SequentialFormat): string =>
  format === 'sequence' ? `\u001e${text}\n` : `${text}\n`
