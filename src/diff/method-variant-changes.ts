import type { Api, RpcOperation, RpcVariant } from '../model/api.js'
import { itemSchemas } from '../model/subscriptions.js'
import type { Schema } from '../schema/schema.js'
import { both, type Change, type Comparison, change } from './change.js'
import { schemaFindings } from './schema-findings.js'

/**
 * Changes of the variants of a method (`x-variants`). Params that are no longer of a variant get the result of the method, which
 * may be another one, so they may not be narrowed; what a variant returns may not be widened.
 */
export function* methodVariantChanges(comparison: Comparison<RpcOperation>): Generator<Change> {
  const { before, after, name } = comparison
  const known = byName(before.variants ?? [])
  const kept = byName(after.variants ?? [])
  for (const [key, was] of known) {
    const is = kept.get(key)
    if (is) {
      yield* changesOfVariant(comparison, was, is)
      continue
    }
    const places = { before: was.source.locate(), after: after.source.locate('x-variants') }
    const message = `${name} no longer has the variant \`${key}\`: calls with its params may be rejected, or get another result`
    yield change('variant-removed', places, message)
  }
  for (const [key, is] of kept) {
    if (known.has(key)) continue
    const places = { before: before.source.locate('x-variants'), after: is.source.locate() }
    yield change('variant-added', places, `${name} has the new variant \`${key}\``)
    // Before, its params had the result of the method. If there were variants, one of them may have been renamed.
    if (known.size === 0) yield* resultChanges(comparison, asVariant(before), is)
  }
}

/** The whole method as a variant. */
const asVariant = ({ params, result, source }: RpcOperation): RpcVariant => ({
  ...{ name: '', params, result: result.schema },
  source: { locate: (...path) => source.locate(...path) },
})

function* changesOfVariant(
  comparison: Comparison<RpcOperation>,
  was: RpcVariant,
  is: RpcVariant,
): Generator<Change> {
  const { before, after, name, context } = comparison
  const known = byName(was.params)
  for (const [at, param] of is.params.entries()) {
    const match = known.get(param.name)
    if (match === undefined) continue
    const what = `the param \`${param.name}\` of the variant \`${is.name}\` of ${name}`
    const own = { before: ownParam(before, match.name), after: after.params[at] }
    const [wasRequired, isRequired] = [own.before?.required, own.after?.required]
    if (param.required && !match.required && !isRequired && !wasRequired) {
      const message = `${what} is required now: calls without it may get another result`
      yield change('variant-param-became-required', places(was, is, 'params'), message)
    }
    // What the variant does not narrow is compared as a param of the method.
    if (match.schema === own.before?.schema && param.schema === own.after?.schema) continue
    const subject = {
      ...({ direction: 'request', what } as const),
      consequence: 'such calls may get another result',
      before: partOf(was, 'params'),
      after: partOf(is, 'params'),
    }
    yield* schemaFindings(context, subject, match.schema, param.schema)
  }
  yield* resultChanges(comparison, was, is)
  if (before.subscription && after.subscription) {
    const what = `an item of the variant \`${is.name}\` of ${name}`
    const subject = {
      ...({ direction: 'response', what } as const),
      before: partOf(was, 'item'),
      after: partOf(is, 'item'),
    }
    const [one, other] = [was.item ?? anyItem(before, context.before), is.item]
    // Without an item of its own, the variant has the items of the notification, which are compared as its params.
    if (was.item !== undefined || other !== undefined)
      yield* schemaFindings(context, subject, one, other ?? anyItem(after, context.after))
  }
}

function* resultChanges(
  { name, context }: Comparison<RpcOperation>,
  was: RpcVariant,
  is: RpcVariant,
): Generator<Change> {
  const what = `the result of the variant \`${is.name}\` of ${name}`
  const subject = {
    ...({ direction: 'response', what } as const),
    before: partOf(was, 'result'),
    after: partOf(is, 'result'),
  }
  yield* schemaFindings(context, subject, was.result, is.result)
}

const byName = <One extends { readonly name: string }>(all: readonly One[]) =>
  new Map(all.map((one) => [one.name, one]))

const ownParam = ({ params }: RpcOperation, name: string) =>
  params.find((param) => param.name === name)

const anyItem = (operation: RpcOperation, api: Api): Schema => ({
  anyOf: itemSchemas(operation, api).map((schema) => schema ?? true),
})

const partOf = ({ source }: RpcVariant, part: string) => ({
  locate: (...path: readonly (string | number)[]) => source.locate(part, ...path),
})

const places = (before: RpcVariant, after: RpcVariant, part: string) =>
  both({ before, after }, part)
