import type { HttpOperation, Variant } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { refTo, type Schema } from '../schema/schema.js'
import { change } from './change.js'
import { both, type Comparison } from './comparison.js'
import { schemaFindings } from './schema-findings.js'

/** The variants of a request (`x-variants`): each is a promise of its own, of what is answered to it as well. */
export function* variantChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { before, after, name, context } = comparison
  const found = new Map(before.variants.map((variant) => [variant.name, variant]))
  for (const variant of after.variants) {
    const twin = found.get(variant.name)
    found.delete(variant.name)
    const places = both(comparison, 'x-variants', variant.name)
    if (!twin) {
      if (before.variants.length > 0) {
        yield change(
          'variant-added',
          places,
          `${name} accepts the variant \`${variant.name}\` now as well`,
        )
      }
      continue
    }
    const subject = (what: string, member: string) => ({
      what: `${what} the variant \`${variant.name}\` of ${name}`,
      before: { locate: () => before.source.locate('x-variants', variant.name, member) },
      after: { locate: () => after.source.locate('x-variants', variant.name, member) },
    })
    yield* schemaFindings(
      context,
      { direction: 'request', ...subject('the request body of', 'request') },
      { $ref: refTo(twin.request) },
      { $ref: refTo(variant.request) },
    )
    yield* schemaFindings(
      context,
      { direction: 'response', ...subject('the response to', 'responses') },
      anyOf(twin),
      anyOf(variant),
    )
  }
  // Variants that are all gone are a description less: the schema of the body says what is taken.
  if (after.variants.length === 0) return
  for (const variant of found.values()) {
    const message = `${name} no longer accepts the variant \`${variant.name}\`: callers who send it may be rejected`
    yield change('variant-removed', both(comparison, 'x-variants', variant.name), message)
  }
}

const anyOf = ({ responses, errors }: Variant): Schema => {
  const all = [...responses, ...errors].map((name) => ({ $ref: refTo(name) }))
  return all.length === 0 ? true : { anyOf: all }
}
