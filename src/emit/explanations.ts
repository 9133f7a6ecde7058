import type { Api } from '../model/api.js'
import { linkSchema, titled } from '../schema/check.js'
import { referredName, type Schema, subschemas } from '../schema/schema.js'
import {
  code,
  type File,
  type Fragment,
  file,
  imported,
  importedNamespace,
  importedType,
  join,
  literal,
  raw,
  string,
} from './file.js'
import { header } from './header.js'
import { isPart, type Part, type Parts, partsOf } from './parts.js'
import { typesOf, withSchemaTypes } from './schema-types.js'
import { memberPath, partsHead, printParts, servicesOf } from './validators.js'

/**
 * `explanations.ts`: every export of `validators.ts` once more, by the same name, beside the schema that says why a value
 * is refused. A program that needs no more than a verdict imports the other, and bundles none of this.
 */
export function emitExplanations(api: Api): File {
  const branches = branchNames(api)
  const named = [...api.schemas.values()].map(({ name, schema, usedBy }) => {
    const type = code`${importedType('Validator', RUNTIME)}<${typesOf(usedBy)}[${string(name)}]>`
    const head = code`export const ${name}: ${type} = `
    const named = branches.has(name) ? titled(name, schema) : schema
    return code`${head}${made('explained', ownChecks(name), named, head.text.length)}`
  })
  const operations = api.operations.map((operation) => {
    const print = ({ schema }: Part, path: readonly string[]) =>
      referredName(schema) ?? madePart(schema, operation.id, path)
    return code`${partsHead(operation, 'MethodValidators')}${printParts(partsOf(operation), print)}`
  })
  const body = join([...named, ...operations, ...servicesOf(api)], '\n\n')
  return file('explanations.ts', header(), withSchemaTypes(body))
}

/** The named schemas that are branches of a union, which a fault has to name. */
function branchNames(api: Api): ReadonlySet<string> {
  const names = new Set<string>()
  const waiting: Schema[] = [...api.schemas.values()].map(({ schema }) => schema)
  for (const operation of api.operations) {
    for (const { schema } of everyPart(partsOf(operation))) waiting.push(schema)
    if (operation.kind === 'rpc') continue
    for (const variant of operation.variants) for (const name of variant.responses) names.add(name)
  }
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one === 'boolean') continue
    for (const branch of [...(one.oneOf ?? []), ...(one.anyOf ?? [])]) {
      const name = referredName(branch)
      if (name !== undefined) names.add(name)
    }
    waiting.push(...subschemas(one))
  }
  return names
}

const everyPart = (parts: Parts): readonly Part[] =>
  Object.values(parts).flatMap((one) => (isPart(one) ? [one] : everyPart(one)))

const RUNTIME = 'twinspec/runtime/validate'

const ownChecks = (name: string): Fragment =>
  code`${importedNamespace('checks', './validators.js')}.${name}`

/** What is read of the checks is picked within, as a bundler keeps whatever reads a member while it loads. */
function madePart(schema: Schema, id: string, path: readonly string[]): Fragment {
  const pick = code`${ownChecks(id)}, (own) => ${memberPath(['own', ...path])}`
  return made('explainedPart', pick, schema, 12)
}

/**
 * `/* @__PURE__ *\/` lets a bundler drop a validator that nobody uses. The return type is written out: inferred, the members
 * of a list get each other's properties as `?: undefined`, which `strict` alone does not accept as schemas.
 */
function made(
  by: 'explained' | 'explainedPart',
  checks: Fragment,
  schema: Schema,
  column: number,
): Fragment {
  const head = code`/* @__PURE__ */ ${imported(by, RUNTIME)}(${checks}, (): ${importedType('ValidatorSchema', RUNTIME)} => `
  const value = literal(linkSchema(schema, raw), column + head.text.length + 4)
  return value.text.startsWith('{') ? code`${head}(${value}))` : code`${head}${value})`
}
