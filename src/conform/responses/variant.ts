import type { HttpOperation, Variant } from '../../model/api.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { open } from '../../runtime/validate.js'
import type { Schema } from '../../schema/schema.js'
import type { CheckContext, ResponseCheck } from '../case.js'
import { appliedSchemas, describedObjects, documentsOf } from './declared.js'
import { jsonOf } from './json-text.js'
import type { Parsed } from './read.js'
import { placeOf } from './value.js'

/** The one variant that a request is of; undefined where it is none's, or several'. */
export const fittingVariant = (
  { checker }: CheckContext,
  { variants }: HttpOperation,
  sent: Parsed | undefined,
): Variant | undefined => {
  if (!sent) return undefined
  const fitting = variants.filter(({ request }) => checker.named(request).check(sent.value))
  return fitting.length === 1 ? fitting[0] : undefined
}

/**
 * The response variant follows the request variant (`x-variants`): a request of one is not answered as another is. Returns which
 * of its variant's the value is, `response` or `error`; undefined where it is neither, which is reported.
 */
export const checkVariant = (
  { checker, report }: ResponseCheck,
  { operation, variant, value }: VariantValue,
): 'response' | 'error' | undefined => {
  const fits = (names: readonly string[]) =>
    names.some((name) => open(checker.named(name)).check(value))
  if (fits(variant.responses)) return 'response'
  if (fits(variant.errors)) return 'error'
  const others = operation.variants.flatMap(({ name, responses }) =>
    fits(responses) ? [name] : [],
  )
  const what =
    others.length > 0 ? `as one of the variant ${others.join(' or ')}` : 'as none of its answers'
  const message = `a request of the variant ${variant.name} is answered ${what}`
  const expected = [...variant.responses, ...variant.errors].join(' or ')
  report('response-of-other-variant', message, expected, { aspect: variant.name })
  return undefined
}

type VariantValue = {
  readonly operation: HttpOperation
  readonly variant: Variant
  readonly value: unknown
}

/** Two properties that may carry one value (`x-same-as`) carry the same one where both are given. */
export const checkAliases = (
  check: ResponseCheck,
  { value, schema, operation }: Omit<VariantValue, 'variant'> & { readonly schema: Schema },
): void => {
  const found = new Map<string, string>()
  const documents = documentsOf(check, operation)
  for (const { pointer, object, schemas } of describedObjects(documents, schema, value)) {
    for (const [name, property] of schemas.flatMap((one) => Object.entries(one.properties ?? {}))) {
      const alias = isObject(property) ? property['x-same-as'] : undefined
      if (typeof alias !== 'string') continue
      const [one, other] = [name, alias].toSorted() as [string, string]
      if (isAlike(check, property, object[one], object[other])) continue
      const message = `${one} is ${jsonOf(object[one])} and ${other} is ${jsonOf(object[other])}`
      found.set(`${placeOf(pointer)}/${one} ${other}`, message)
    }
  }
  for (const [aspect, message] of found)
    check.report('aliased-properties-differ', message, 'one value in both', { aspect })
}

/** Hexadecimal digits mean the same in either case, where the schema says that they are that and takes both. */
const isAlike = (context: CheckContext, schema: Schema, one: unknown, other: unknown): boolean => {
  if (one == null || other == null || jsonOf(one) === jsonOf(other)) return true
  if (typeof one !== 'string' || typeof other !== 'string') return false
  if (one.toLowerCase() !== other.toLowerCase()) return false
  return [...appliedSchemas(context, schema, one)].some(({ pattern = '' }) => HEX.test(pattern))
}

/** Both `a-f` and `A-F`. */
const HEX = /a-f.*A-F|A-F.*a-f/
