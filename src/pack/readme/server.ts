import type { HttpOperation } from '../../model/api.js'
import { markdownCode } from '../../model/escape.js'
import type { Sampler } from '../../schema/readable.js'
import { written } from './calls.js'
import type { Chosen, ShownMethod } from './choose.js'
import { indented } from './clients.js'
import { importing, section, snippet } from './section.js'

/** A server of one's own, with a handler or two. */
export const server = (name: string, chosen: Chosen): readonly string[] => {
  const handlers = handlersOf(chosen)
  return [
    section(
      'A server',
      `For a stand-in in tests, or a service of the same contract: the compiler asks for a handler for each operation, and ${markdownCode('notOffered')} refuses those that are still to be written. ${markdownCode('toFetchHandler(server)')} is for runtimes that answer a ${markdownCode('Request')} by a ${markdownCode('Response')}.`,
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

/** Of a method and of an operation, with the answers that the documents show, else with made-up ones. */
export const handlersOf = ({ makeUp, methods, operations }: Chosen): readonly string[] => {
  const by = (made: Sampler | undefined) => [
    ...methods.flatMap((one) => resultOf(one, made)).slice(0, 1),
    ...operations.flatMap(({ operation }) => replyOf(operation, made)).slice(0, 1),
  ]
  const shown = by(undefined)
  return shown.length > 0 ? shown : by(makeUp)
}

const resultOf = (
  { operation, example }: ShownMethod,
  makeUp: Sampler | undefined,
): readonly string[] => {
  const shown = example?.outcome.kind === 'result' ? example.outcome : undefined
  const value = shown ? shown.value : makeUp?.(operation.result.schema)
  if (value === undefined) return []
  const text = `${operation.id}: () => (${written(value)}),`
  return [(shown ? '' : MADE_UP) + text.replace(/\(('[^\n]*'|\d+|true|false|null)\),$/, '$1,')]
}

const MADE_UP = '// The answer is made up: the documents show none.\n'

/** A variant is a handler of its own, and headers would have to be given: an operation without either is shown. */
const replyOf = (
  { id, variants, responses }: HttpOperation,
  makeUp: Sampler | undefined,
): readonly string[] => {
  if (variants.length > 0) return []
  for (const { status, headers, content } of responses) {
    const [body] = content
    if (!/^2\d\d$/.test(status) || headers.some(({ required }) => required)) continue
    if (makeUp && !body) return [`${id}: () => (${written({ status: Number(status) })}),`]
    if (!body || !/^application\/json\b/i.test(body.type)) continue
    const [shown] = body.examples
    const value = shown ? shown.value : makeUp?.(body.schema)
    if (value === undefined) continue
    const text = `${id}: () => (${written({ status: Number(status), body: value })}),`
    return [(shown ? '' : MADE_UP) + text]
  }
  return []
}
