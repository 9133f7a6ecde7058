import { redactor } from '../runtime/ground/redact.js'
import { type Answer, type Exchange, type Sent, textOf } from './exchange.js'
import type { Target } from './target.js'

/** An exchange as people read it, the key as `$KEY` throughout. */
export type Shown = {
  readonly request: string
  /** What came, or why nothing did. */
  readonly answer: string
  /** A line for a shell that sends the same. */
  readonly curl: string
}

export const shown = (
  { sent, answer, failure, recorded }: Exchange,
  { secrets }: Target,
): Shown => {
  const hidden = keyHider(secrets)
  return {
    request: hidden(
      recorded === undefined ? requestText(sent) : `${recorded} ${requestText(sent)}`,
    ),
    answer: hidden(answer ? answerText(answer) : (failure ?? 'no answer')),
    curl: hidden(curlLine(sent)),
  }
}

/** Blots keys out of whatever is told of a server. */
export const keyHider = (secrets: readonly string[]): ((text: string) => string) => {
  const blot = redactor(secrets)
  return (text) => blot(text).replaceAll('[redacted]', '$KEY')
}

const requestText = ({ method, url, body }: Sent): string =>
  body === undefined ? `${method} ${url}` : `${method} ${url} ${cut(textOf(body))}`

const answerText = ({ status, headers, body }: Answer): string => {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return `${status}${type === undefined ? '' : ` ${type}`} ${cut(textOf(body))}`.trimEnd()
}

const cut = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`

const LONGEST = 600

/** `"` where the key must be filled in by a shell, `'` elsewhere. */
const curlLine = ({ method, url, headers, body }: Sent): string => {
  const verb =
    method === 'GET' ? '' : method === 'POST' && body !== undefined ? '' : ` -X ${method}`
  const written = Object.entries(headers).filter(
    ([name, value]) => name !== 'accept' || value !== '*/*',
  )
  const fields = written.map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`)
  const data = body === undefined ? '' : ` --data-binary ${quoted(textOf(body))}`
  return `curl -s${verb} "${url}"${fields.join('')}${data}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
