/** One event of `text/event-stream` (WHATWG HTML, 9.2.6). */
export type ServerEvent = {
  /** Its lines are joined by line feeds. */
  readonly data: string
  /** Undefined if the event has no such field. */
  readonly event?: string
  readonly id?: string
  /** Milliseconds. */
  readonly retry?: number
}

/** Parses an event stream from chunks, which may end anywhere. */
export type EventParser = {
  /** The events that end in this chunk. */
  readonly push: (text: string) => readonly ServerEvent[]
  /** Called at the end of the stream: the data of an incomplete event; undefined if there is none. */
  readonly pending: () => string | undefined
  /** The last id, for `Last-Event-ID`; empty if there is none. */
  readonly lastEventId: () => string
  /** Milliseconds that the client should wait before it reconnects, as set by the server. */
  readonly retry: () => number | undefined
  /** The number of characters of an incomplete event. */
  readonly waiting: () => number
}

/**
 * Creates a parser by the rules of WHATWG HTML, 9.2.6. Lines end with CR, LF or both; a line that begins with a colon is a
 * comment; an empty line ends an event. An event without data is dropped. The text has no byte order mark.
 */
export const createEventParser = (firstId = ''): EventParser => {
  let line = ''
  let followsCr = false
  let data: string | undefined
  let event: string | undefined
  let id: string | undefined
  let ownRetry: number | undefined
  let lastId = firstId
  let retry: number | undefined

  const readLine = (text: string): void => {
    const colon = text.indexOf(':')
    const name = colon === -1 ? text : text.slice(0, colon)
    const start = text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1
    const value = colon === -1 ? '' : text.slice(start)
    if (name === 'data') data = data === undefined ? value : `${data}\n${value}`
    else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d+$/.test(value)) {
      ownRetry = Number(value)
      retry = ownRetry
    }
  }

  const endEvent = (): ServerEvent | undefined => {
    if (id !== undefined) lastId = id
    const ended =
      data === undefined
        ? undefined
        : {
            data,
            ...(event !== undefined && event !== '' && { event }),
            ...(id !== undefined && { id }),
            ...(ownRetry !== undefined && { retry: ownRetry }),
          }
    data = event = id = ownRetry = undefined
    return ended
  }

  return {
    push: (text) => {
      const found: ServerEvent[] = []
      // Skips the line feed of a pair whose CR ended the previous chunk.
      let at = followsCr && text.startsWith('\n') ? 1 : 0
      if (text !== '') followsCr = false
      // Each is searched again only when it was passed: a text without line feeds would be scanned once per line.
      let cr = text.indexOf('\r', at)
      let lf = text.indexOf('\n', at)
      for (;;) {
        const isCr = cr !== -1 && (lf === -1 || cr < lf)
        const end = isCr ? cr : lf
        if (end === -1) break
        const whole = line + text.slice(at, end)
        line = ''
        at = end + 1
        if (isCr) {
          if (at === text.length) followsCr = true
          else if (lf === at) at += 1
          cr = text.indexOf('\r', at)
        }
        if (lf !== -1 && lf < at) lf = text.indexOf('\n', at)
        if (whole !== '') readLine(whole)
        else {
          const ended = endEvent()
          if (ended !== undefined) found.push(ended)
        }
      }
      line += text.slice(at)
      return found
    },
    pending: () => {
      if (line !== '') readLine(line)
      line = ''
      return data
    },
    lastEventId: () => lastId,
    retry: () => retry,
    waiting: () => line.length + (data?.length ?? 0),
  }
}

const SPACE = 0x20
