import type { HttpResponse } from '../../model/http-content.js'
import { open } from '../../runtime/validate.js'
import { readHeader } from '../../runtime/wire/parameters.js'
import type { ReceivedResponse } from '../../traffic/exchange.js'
import type { ResponseCheck } from '../case.js'

/** Checks that required headers are present, and that all declared headers are valid by their schema. */
export const checkHeaders = (
  { checker, report }: ResponseCheck,
  answer: ReceivedResponse,
  { headers, status }: HttpResponse,
): void => {
  for (const header of headers) {
    const { name, required, schema } = header
    // OpenAPI, Response Object: a declared Content-Type header is ignored.
    if (name.toLowerCase() === 'content-type') continue
    const aspect = `${status} ${name}`
    const values = answer.headers.flatMap(([one, value]) =>
      one.toLowerCase() === name.toLowerCase() ? [value] : [],
    )
    const validator = open(checker.schema(schema))
    const readings = [...new Set([values.join(', '), ...values])].map((text) =>
      readHeader(header, text, validator),
    )
    if (values.length === 0) {
      if (required && !answer.isPartial && !answer.lacksHeaders)
        report('header-missing', `the ${status} response does not have the header ${name}`, name, {
          aspect,
        })
    } else if (readings.every((reading) => reading !== undefined && 'faults' in reading)) {
      const [fault] = readings.flatMap((reading) =>
        reading && 'faults' in reading ? reading.faults : [],
      )
      const message = `the header ${name} ${fault?.message ?? 'is not as declared'}`
      report('header-invalid', message, 'a value that matches its schema', { aspect })
    }
  }
}
