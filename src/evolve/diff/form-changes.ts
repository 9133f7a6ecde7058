import type { Form, HttpOperation } from '../../model/api.js'
import type { Finding } from '../../model/finding.js'
import { refTo, type Schema } from '../../model/schema.js'
import { change } from './change.js'
import { both, type Comparison } from './comparison.js'
import { schemaFindings } from './schema-findings.js'

/** The forms of a request (`x-forms`): each is a promise of its own, of what is answered to it as well. */
export function* formChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { before, after, name, context } = comparison
  const found = new Map(before.forms.map((form) => [form.name, form]))
  for (const form of after.forms) {
    const twin = found.get(form.name)
    found.delete(form.name)
    const places = both(comparison, 'x-forms', form.name)
    if (!twin) {
      if (before.forms.length > 0) {
        yield change('form-added', places, `${name} accepts the form \`${form.name}\` now as well`)
      }
      continue
    }
    const subject = (what: string, member: string) => ({
      what: `${what} the form \`${form.name}\` of ${name}`,
      before: { locate: () => before.source.locate('x-forms', form.name, member) },
      after: { locate: () => after.source.locate('x-forms', form.name, member) },
    })
    yield* schemaFindings(
      context,
      { direction: 'request', ...subject('the request body of', 'request') },
      { $ref: refTo(twin.request) },
      { $ref: refTo(form.request) },
    )
    yield* schemaFindings(
      context,
      { direction: 'response', ...subject('the response to', 'responses') },
      anyOf(twin),
      anyOf(form),
    )
  }
  // Forms that are all gone are a description less: the schema of the body says what is taken.
  if (after.forms.length === 0) return
  for (const form of found.values()) {
    const message = `${name} no longer accepts the form \`${form.name}\`: callers who send it may be rejected`
    yield change('form-removed', both(comparison, 'x-forms', form.name), message)
  }
}

const anyOf = ({ responses, errors }: Form): Schema => {
  const all = [...responses, ...errors].map((name) => ({ $ref: refTo(name) }))
  return all.length === 0 ? true : { anyOf: all }
}
