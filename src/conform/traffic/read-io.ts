import { plainAnswer, plainRequest, type Recording, RecordingError } from './recording.js'

/** Round trips as text: `//` a comment, `>>` a request, `<<` the answer to the request before it; one line each. */
export const readIo = (file: string, text: string): readonly Recording[] => {
  const found: Recording[] = []
  let waiting: { readonly line: number; readonly request: string } | undefined
  const end = (answer: string | undefined) => {
    if (!waiting) return
    found.push({
      file,
      line: waiting.line,
      sent: plainRequest(waiting.request),
      answer: answer === undefined ? undefined : plainAnswer(answer),
    })
    waiting = undefined
  }
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.trim()
    if (line === '' || line.startsWith('//')) continue
    const rest = line.slice(2).trim()
    if (line.startsWith('>>')) {
      end(undefined)
      waiting = { line: index + 1, request: rest }
    } else if (!line.startsWith('<<')) {
      const kinds = '// (a comment), >> (a request) or << (its answer)'
      throw new RecordingError(
        file,
        index + 1,
        `a line begins with ${kinds}: mend it or leave it out`,
      )
    } else if (waiting) end(rest)
    else {
      const message = 'this answer has no request: write the line with >> before it'
      throw new RecordingError(file, index + 1, message)
    }
  }
  end(undefined)
  return found
}
