import type { Api, Operation } from '../model/api.js'
import { pascalCase } from '../model/names.js'
import { referredName, withoutAnnotations } from '../schema/schema.js'
import {
  code,
  type File,
  type Fragment,
  file,
  importedType,
  join,
  keyText,
  type Printable,
  raw,
  string,
} from './file.js'
import { header } from './header.js'
import { isPart, methodType, type Part, type Parts, partsOf } from './parts.js'
import { typesOf, withSchemaTypes } from './schema-types.js'
import { createWriter, type Written } from './validators/writer.js'

/**
 * `validators.ts`: for each named schema, and for each part of an operation, a check as plain code.
 * Each export is independent, so that a bundler keeps only those that are used. `explanations.ts` says why a value is
 * rejected.
 */
export function emitValidators(api: Api): File {
  const schemas = [...api.schemas].map(
    ([name, named]) => [name, { ...named, schema: withoutAnnotations(named.schema) }] as const,
  )
  const plain: Api = { ...api, schemas: new Map(schemas) }
  const writer = createWriter(plain)
  const named = [...plain.schemas.values()].map(({ name, usedBy }) => {
    const type = code`${typesOf(usedBy)}[${string(name)}]`
    const { functions, ...checks } = writer.named(name)
    const head = code`export const ${name} = ${checksOf(checks, name.length + 18, type)}`
    return join([head, ...functions.map(raw)], '\n\n')
  })
  const operations = api.operations.map((operation) => {
    const functions: string[] = []
    const print = ({ schema, type, name }: Part): Fragment => {
      const referred = referredName(schema)
      if (referred !== undefined) return raw(referred)
      const written = writer.schema(
        withoutAnnotations(schema),
        pascalCase(`${operation.id} ${name}`),
      )
      functions.push(...written.functions)
      return checksOf(written, name.length + 8, type)
    }
    const head = code`${partsHead(operation, 'MethodChecks')}${printParts(partsOf(operation), print)}`
    return join([head, ...functions.map(raw)], '\n\n')
  })
  const body = join([...named, ...operations, ...servicesOf(api), ...writer.support()], '\n\n')
  return file('validators.ts', header(), withSchemaTypes(body))
}

/** What comes before the parts of an operation: a method's have a type that its own types give. */
export const partsHead = (
  operation: Operation,
  parts: 'MethodChecks' | 'MethodValidators',
): Fragment => {
  if (operation.kind === 'http') return code`export const ${operation.id} = `
  const type = importedType(parts, 'twinspec/runtime/operation')
  return code`export const ${operation.id}: ${type}<${methodType(operation)}> = `
}

/** A tree of parts as a literal, a line each. */
export function printParts(
  parts: Parts,
  print: (part: Part, path: readonly string[]) => Printable,
  path: readonly string[] = [],
): Fragment {
  const lines = Object.entries(parts).map(([key, one]) => {
    const at = [...path, key]
    return code`${keyText(key)}: ${isPart(one) ? print(one, at) : printParts(one, print, at)},`
  })
  return lines.length === 0 ? raw('{}') : code`{\n  ${join(lines)}\n}`
}

/** `submit.parameters['path.key']` */
export const memberPath = (path: readonly string[]): string =>
  path.reduce((text, key) => {
    const name = keyText(key)
    if (text === '') return key
    if (name !== key) return `${text}[${name}]`
    return /^\d/.test(key) ? `${text}[${key}]` : `${text}.${key}`
  }, '')

/** The validators of each kind of operation together, for the clients: a bundler keeps one kind alone. */
export function servicesOf(api: Api): readonly Fragment[] {
  return (['http', 'rpc'] as const).flatMap((kind) => {
    if (!api[kind]) return []
    const ids = api.operations.filter((one) => one.kind === kind).map(({ id }) => id)
    return [
      code`/** The validators of every operation in \`${kind}Service\`. */
export const ${kind}Validators: {
  ${join(ids.map((id) => code`readonly ${id}: typeof ${id}`))}
} = {
  ${join(ids.map((id) => code`${id},`))}
}`,
    ]
  })
}

function checksOf(
  { check, open }: Omit<Written, 'functions'>,
  column: number,
  type?: Fragment,
): Fragment {
  const as = code`${importedType('Checks', RUNTIME)}${type ? code`<${type}>` : ''}`
  const line = code`{ check: ${check} } as ${as}`
  if (open === undefined && column + line.text.length <= WIDTH) return line
  if (open === undefined) return code`{\n  check: ${check},\n} as ${as}`
  return code`{
  check: ${check},
  open: ${open},
} as ${as}`
}

const WIDTH = 100

const RUNTIME = 'twinspec/runtime/validate'
