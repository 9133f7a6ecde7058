import { parseJson } from '../responses/read.js'
import {
  type CreateReader,
  createLineReader,
  lazy,
  type Message,
  RecordingError,
  rpcRecording,
} from './recording.js'

/** Round trips as text: `//` a comment, `>>` a request, `<<` the response to the request before it; one line each. */
export const createIoReader: CreateReader = (file, report) => {
  let waiting: { readonly line: number; readonly request: string } | undefined
  const end = (response: string | undefined) => {
    if (!waiting) return []
    const place = { file, line: waiting.line, time: undefined }
    const request = messageOf(waiting.request)
    waiting = undefined
    return [rpcRecording(place, request, response === undefined ? undefined : messageOf(response))]
  }
  return createLineReader(
    file,
    ({ text, number }) => {
      const line = text.trim()
      if (line.startsWith('//')) return []
      const rest = line.slice(2).trim()
      if (line.startsWith('>>')) {
        const before = end(undefined)
        waiting = { line: number, request: rest }
        return before
      }
      if (!line.startsWith('<<')) {
        const kinds = '// (a comment), >> (a request) or << (its response)'
        const message = `a line must begin with ${kinds}: correct it or remove it`
        throw new RecordingError(file, number, message)
      }
      if (waiting) return end(rest)
      const message = 'this response has no request: write the line with >> before it'
      throw new RecordingError(file, number, message)
    },
    () => end(undefined),
    report,
  )
}

const messageOf = (text: string): Message => ({
  text: () => text,
  value: lazy(() => parseJson(text)?.value),
})
