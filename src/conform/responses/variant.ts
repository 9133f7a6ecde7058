import type { HttpOperation, Variant } from '../../model/api.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { open } from '../../runtime/validate.js'
import type { Schema } from '../../schema/schema.js'
import type { Source } from '../../schema/source.js'
import type { CheckContext, Finding } from '../case.js'
import type { Exchange } from '../wire/exchange.js'
import { appliedSchemas, describedObjects, telling } from './declared.js'
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

/** The response variant follows the request variant (`x-variants`): a request of one is not answered as another is. */
export const checkVariant = (
  { checker }: CheckContext,
  exchange: Exchange,
  { operation, variant, value, source }: Formed,
): { readonly findings: readonly Finding[]; variant?: string; isError?: boolean } => {
  const fits = (names: readonly string[]) =>
    names.some((name) => open(checker.named(name)).check(value))
  if (fits(variant.responses)) return { findings: [], variant: variant.name }
  if (fits(variant.errors)) return { findings: [], isError: true }
  const others = operation.variants.flatMap(({ name, responses }) =>
    fits(responses) ? [name] : [],
  )
  const asked = `a request of the variant ${variant.name} is answered`
  const finding = {
    rule: 'response-of-other-variant',
    message:
      others.length > 0
        ? `${asked} as one of the variant ${others.join(' or ')}`
        : `${asked} as none of its answers`,
    expected: [...variant.responses, ...variant.errors].join(' or '),
    aspect: variant.name,
  }
  return { findings: [{ ...finding, exchange, operation, source }] }
}

type Formed = {
  readonly operation: HttpOperation
  readonly variant: Variant
  readonly value: unknown
  readonly source: Source
}

/** Two properties that may carry one value (`x-same-as`) carry the same one where both are given. */
export const checkAliases = (
  context: CheckContext,
  exchange: Exchange,
  { value, schema, operation, source }: Omit<Formed, 'variant'> & { readonly schema: Schema },
): readonly Finding[] => {
  const found = new Map<string, Finding>()
  for (const { pointer, object, schemas } of describedObjects(
    telling(context, operation),
    schema,
    value,
  )) {
    for (const [name, property] of schemas.flatMap((one) => Object.entries(one.properties ?? {}))) {
      const alias = isObject(property) ? property['x-same-as'] : undefined
      if (typeof alias !== 'string') continue
      const [one, other] = [name, alias].toSorted() as [string, string]
      if (isAlike(context, property, object[one], object[other])) continue
      const aspect = `${placeOf(pointer)}/${one} ${other}`
      const message = `${one} is ${jsonOf(object[one])} and ${other} is ${jsonOf(object[other])}`
      const common = { exchange, operation, source, aspect, expected: 'one value in both' }
      found.set(aspect, { ...common, rule: 'aliased-properties-differ', message })
    }
  }
  return [...found.values()]
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
