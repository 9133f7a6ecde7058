import type { HttpOperation } from '../../model/api.js'
import { code } from '../markdown.js'
import { written } from './calls.js'
import type { Chosen } from './choose.js'
import { indented } from './clients.js'
import { importing, section, snippet } from './section.js'

/** A server of one's own, with a handler or two. */
export const server = (name: string, chosen: Chosen): readonly string[] => {
  const handlers = handlersOf(chosen)
  if (handlers.length === 0) return []
  return [
    section(
      'A server',
      `For a stand-in in tests, or a service of the same contract: the compiler asks for a handler for each operation, and ${code('notOffered')} refuses those that are still to be written. ${code('toFetchHandler(server)')} is for runtimes that answer a ${code('Request')} by a ${code('Response')}.`,
      snippet(
        importing('createServer as listen', 'node:http'),
        importing('createServer, notOffered, toNodeListener', `${name}/server`),
        '',
        'const server = createServer({',
        '  ...notOffered,',
        ...handlers.map(indented),
        '})',
        'listen(toNodeListener(server)).listen(Number(process.env.PORT ?? 8080))',
      ),
    ),
  ]
}

/** Of a method and of an operation, with the answers that the documents show. */
export const handlersOf = ({ methods, operations }: Chosen): readonly string[] => {
  const [method] = methods
  const result =
    method?.example.outcome.kind === 'result'
      ? [`${method.operation.id}: () => (${written(method.example.outcome.value)}),`]
      : []
  const answered = operations.flatMap(({ operation }) => replyOf(operation)).slice(0, 1)
  return [
    ...result.map((text) => text.replace(/\(('[^\n]*'|\d+|true|false|null)\),$/, '$1,')),
    ...answered,
  ]
}

/** A form is a handler of its own, and headers would have to be given: an operation without either is shown. */
const replyOf = ({ id, forms, responses }: HttpOperation): readonly string[] => {
  if (forms.length > 0) return []
  for (const { status, headers, content } of responses) {
    const [body] = content
    const [example] = body?.examples ?? []
    if (!/^2\d\d$/.test(status) || headers.some(({ required }) => required)) continue
    if (!body || !example || !/^application\/json\b/i.test(body.type)) continue
    return [`${id}: () => (${written({ status: Number(status), body: example.value })}),`]
  }
  return []
}
