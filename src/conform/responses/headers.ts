import type { HttpOperation, HttpResponse } from '../../model/api.js'
import { open } from '../../runtime/validate.js'
import type { Complaint } from '../case.js'
import type { Answer, Exchange } from '../wire/exchange.js'
import type { CheckContext } from './check-context.js'
import { parseJson } from './read.js'

/** The headers that a response declares: there where they are required, and of their schema where they are there. */
export const checkHeaders = (
  { checker }: CheckContext,
  exchange: Exchange,
  { headers, source, status }: HttpResponse,
  operation: HttpOperation,
): readonly Complaint[] => {
  const answer = exchange.answer as Answer
  return headers.flatMap(({ name, required, schema }): Complaint[] => {
    // OpenAPI, Response Object: a Content-Type that is declared here is ignored.
    if (name.toLowerCase() === 'content-type') return []
    const common = { exchange, operation, source, aspect: `${status} ${name}` }
    const values = answer.headers.flatMap(([one, value]) =>
      one.toLowerCase() === name.toLowerCase() ? [value] : [],
    )
    if (values.length === 0) {
      const message = `${status} comes without the header ${name}`
      return required ? [{ ...common, rule: 'header-missing', message, due: name }] : []
    }
    const validator = open(checker.schema(schema))
    const texts = [...new Set([values.join(', '), ...values])]
    const readings = texts.flatMap(readingsOf)
    if (readings.some(validator.check)) return []
    const [fault] = validator.explain(readings[0])
    const message = `the header ${name} ${fault?.message ?? 'is not as declared'}`
    return [{ ...common, rule: 'header-invalid', message, due: 'what is declared of it' }]
  })
}

/** All that a text may mean (OpenAPI, style simple): itself, a number or a flag, a list, an object. */
const readingsOf = (text: string): readonly unknown[] => {
  const scalar = (part: string): unknown => {
    const parsed = parseJson(part.trim())
    return parsed ? parsed.value : part.trim()
  }
  const parts = text.split(',')
  const pairs = parts.map((part) => part.split('='))
  const isObject = pairs.every(({ length }) => length === 2)
  const flat = parts.flatMap((part, index) =>
    index % 2 === 0 ? [[part.trim(), scalar(parts[index + 1] ?? '')] as const] : [],
  )
  return [
    text,
    scalar(text),
    parts.map((part) => part.trim()),
    parts.map(scalar),
    Object.fromEntries(flat),
    ...(isObject
      ? [Object.fromEntries(pairs.map(([name = '', value = '']) => [name.trim(), scalar(value)]))]
      : []),
  ]
}
