import type { HttpResponse } from '../../model/http-content.js'
import { open } from '../../runtime/validate.js'
import { tryParseJson } from '../../text/json-text.js'
import type { ReceivedResponse } from '../../traffic/exchange.js'
import type { ResponseCheck } from '../case.js'

/** Checks that required headers are present, and that all declared headers are valid by their schema. */
export const checkHeaders = (
  { checker, report }: ResponseCheck,
  answer: ReceivedResponse,
  { headers, status }: HttpResponse,
): void => {
  for (const { name, required, schema } of headers) {
    // OpenAPI, Response Object: a declared Content-Type header is ignored.
    if (name.toLowerCase() === 'content-type') continue
    const aspect = `${status} ${name}`
    const values = answer.headers.flatMap(([one, value]) =>
      one.toLowerCase() === name.toLowerCase() ? [value] : [],
    )
    const validator = open(checker.schema(schema))
    const readings = [...new Set([values.join(', '), ...values])].flatMap(readingsOf)
    if (values.length === 0) {
      if (required && !answer.isPartial && !answer.lacksHeaders)
        report('header-missing', `the ${status} response does not have the header ${name}`, name, {
          aspect,
        })
    } else if (!readings.some(validator.check)) {
      const [fault] = validator.explain(readings[0])
      const message = `the header ${name} ${fault?.message ?? 'is not as declared'}`
      report('header-invalid', message, 'a value that matches its schema', { aspect })
    }
  }
}

/** All possible values of a text (OpenAPI, style simple): itself, a number or boolean, a list, an object. */
const readingsOf = (text: string): readonly unknown[] => {
  const scalar = (part: string): unknown => {
    const parsed = tryParseJson(part.trim())
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
