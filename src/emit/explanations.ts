import type { Api } from '../model/api.js'
import { isPart, type OperationPart, operationParts, type Parts } from '../model/operation-parts.js'
import { linkSchema, titled } from '../schema/check.js'
import { everySubschema, referredName, type Schema } from '../schema/schema.js'
import { jsonText, keyText } from '../text/escape.js'
import type { Declaration, Module } from './declaration.js'
import {
  code,
  declared,
  type Fragment,
  imported,
  importedNamespace,
  importedType,
  join,
  literal,
  present,
  raw,
  schemaTypes,
  string,
} from './file.js'
import { isLarge } from './folders/folders.js'
import { WIDTH } from './header.js'
import { operationNames } from './operation-names.js'
import { memberPath, methodPartsType, printParts, servicesOf } from './validators.js'

/**
 * `explanations.ts`: every export of `validators.ts` by the same name, with the schema that explains why a value is
 * rejected. A program that needs only a verdict imports `validators.ts`, and bundles none of this.
 */
export function emitExplanations(api: Api): Module {
  const branches = branchNames(api)
  const isText = isLarge(api)
  const named = [...api.schemas.values()].map(({ name, schema, usedBy }): Declaration => {
    const type = code`${importedType('Validator', RUNTIME)}<${schemaTypes(usedBy)}[${string(name)}]>`
    const titledSchema = branches.has(name) ? titled(name, schema) : schema
    return isText
      ? itemOfText(name, type, (link) => linkSchema(titledSchema, link))
      : item(name, type, (column) => made('explained', [ownChecks(name)], titledSchema, column))
  })
  const names = operationNames(api)
  const operations = api.operations.map((operation): Declaration => {
    const { id } = operation
    // Written out, because compilers other than TypeScript's do not infer it, and TypeScript's is faster.
    const type =
      operation.kind === 'http'
        ? code`${importedType('ExplainedParts', RUNTIME)}<typeof ${ownChecks(id)}>`
        : methodPartsType(operation, 'Validators', names)
    if (isText) {
      return itemOfText(id, type, (link) => linkParts(operationParts(operation), link))
    }
    const print = ({ schema }: OperationPart, path: readonly string[]) => {
      const name = referredName(schema)
      return name === undefined ? madePart(schema, id, path) : declared(name)
    }
    return item(id, type, () => printParts(operationParts(operation), print))
  })
  return { name: 'explanations.ts', declarations: [...named, ...operations, ...servicesOf(api)] }
}

/**
 * A declaration whose value begins on the line of its name, or on the next one if that would be too long. The lines of `text`,
 * the end of the value, are not indented.
 */
function item(
  name: string,
  type: Fragment,
  valueAt: (column: number) => Fragment,
  text = raw(''),
): Declaration {
  const column = `export const ${name}: ${type.text} = `.length
  const value = valueAt(column)
  const [first = ''] = value.text.split('\n', 1)
  const isShort = column + first.length <= WIDTH
  const start = isShort ? code`: ${type} = ${value}` : code`: ${type} =\n  ${valueAt(2)}`
  return { name, kind: 'item', keyword: 'const', body: join([start, text], '') }
}

/** The named schemas that are branches of a union; a Fault has to contain their names. */
function branchNames(api: Api): ReadonlySet<string> {
  const names = new Set<string>()
  const schemas = [...api.schemas.values()].map(({ schema }) => schema)
  for (const operation of api.operations) {
    for (const { schema } of everyPart(operationParts(operation))) schemas.push(schema)
    if (operation.kind === 'rpc') continue
    for (const variant of operation.variants) for (const name of variant.responses) names.add(name)
  }
  for (const one of schemas.flatMap(everySubschema)) {
    if (typeof one === 'boolean') continue
    for (const branch of [...(one.oneOf ?? []), ...(one.anyOf ?? [])]) {
      const name = referredName(branch)
      if (name !== undefined) names.add(name)
    }
  }
  return names
}

const everyPart = (parts: Parts): readonly OperationPart[] =>
  Object.values(parts).flatMap((one) => (isPart(one) ? [one] : everyPart(one)))

const RUNTIME = 'twinspec/runtime/validate'

const ownChecks = (name: string): Fragment =>
  code`${importedNamespace('checks', './validators.js')}.${name}`

/** The member is read in a function, because a bundler keeps all code that reads a member at load time. */
function madePart(schema: Schema, id: string, path: readonly string[]): Fragment {
  const pick = raw(`(own) => ${memberPath(['own', ...path])}`)
  const column = 2 * path.length + keyText(path.at(-1) ?? '').length + 2
  return made('explainedPart', [ownChecks(id), pick], schema, column)
}

/**
 * `/* @__PURE__ *\/` lets a bundler drop an unused validator. The return type is written out. Inferred, the members
 * of a list get each other's properties as `?: undefined`, which `strict` alone does not accept as schemas.
 */
function made(
  by: 'explained' | 'explainedPart',
  checks: readonly Fragment[],
  schema: Schema,
  column: number,
): Fragment {
  const call = code`/* @__PURE__ */ ${imported(by, RUNTIME)}`
  const result = code`(): ${importedType('ValidatorSchema', RUNTIME)} => `
  const head = code`${call}(${join([...checks, result], ', ')}`
  const isLong = by === 'explainedPart' && column + head.text.length > WIDTH - 2
  const value = literal(linkSchema(schema, declared), isLong ? 40 : column + head.text.length + 4)
  const returned = value.text.startsWith('{') ? code`(${value})` : value
  return isLong
    ? code`${call}(\n  ${join(checks, ',\n')},\n  ${result}${returned},\n)`
    : code`${head}${returned})`
}

/**
 * The validator of a schema, or those of all parts of an operation, from JSON. It is a string, which the compiler reads fast,
 * however long it is.
 */
function itemOfText(
  name: string,
  type: Fragment,
  linked: (link: (name: string) => string) => unknown,
): Declaration {
  const names = new Set<string>()
  const value = linked((one) => {
    names.add(one)
    return one
  })
  const by = imported('explainedByText', RUNTIME)
  const validators = literal(
    Object.fromEntries([...names].sort().map((one) => [one, declared(one)])),
    60,
  )
  const start = code`/* @__PURE__ */ ${by}(${ownChecks(name)}, () => (${validators}), `
  const [last = ''] = start.text.split('\n').slice(-1)
  return item(name, type, () => start, code`${jsonTemplate(value, last.length + 4)})`)
}

const linkParts = (parts: Parts, link: (name: string) => string): unknown =>
  Object.fromEntries(
    Object.entries(parts).map(([key, one]) => [
      key,
      isPart(one) ? linkSchema(one.schema, link) : linkParts(one, link),
    ]),
  )

/** A value as JSON between backticks, with lines as long as those of code. */
const jsonTemplate = (value: unknown, column: number): Fragment =>
  raw(`\`${jsonLines(value, column).replace(/[\\`]|\$\{/g, '\\$&')}\``)

function jsonLines(value: unknown, column: number, indent = 0): string {
  if (typeof value !== 'object' || value === null) return jsonText(value)
  const flat = jsonInline(value, WIDTH - column - 1)
  if (flat !== undefined) return flat
  const inner = indent + 2
  const isList = Array.isArray(value)
  const members = isList
    ? value.map((item) => jsonLines(item, inner, inner))
    : present(value).map(([key, member]) => {
        const name = `${jsonText(key)}: `
        return name + jsonLines(member, inner + name.length, inner)
      })
  const [begin = '', end = ''] = isList ? '[]' : '{}'
  const separator = `,\n${' '.repeat(inner)}`
  return `${begin}\n${' '.repeat(inner)}${members.join(separator)}\n${' '.repeat(indent)}${end}`
}

/** A value as JSON of at most `width` characters. Undefined if it does not fit; then the rest is not read. */
function jsonInline(value: unknown, width: number): string | undefined {
  if (typeof value !== 'object' || value === null) {
    const text = jsonText(value)
    return text.length <= width ? text : undefined
  }
  const isList = Array.isArray(value)
  const members: string[] = []
  let left = width - 2
  for (const [key, member] of isList ? value.entries() : present(value)) {
    const name = isList ? '' : `${jsonText(key)}:`
    const text = jsonInline(member, left - name.length)
    if (text === undefined) return undefined
    members.push(name + text)
    left -= name.length + text.length + 1
  }
  // Empty members are read without a look at the width.
  if (left < -1) return undefined
  return isList ? `[${members}]` : `{${members}}`
}
