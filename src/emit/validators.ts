import type { Api, Operation, RpcOperation } from '../model/api.js'
import { isPart, type OperationPart, operationParts, type Parts } from '../model/operation-parts.js'
import { referredName, withoutAnnotations } from '../schema/schema.js'
import { keyText, memberName } from '../text/escape.js'
import { pascalCase } from '../text/names.js'
import type { Declaration, Module } from './declaration.js'
import {
  code,
  declared,
  doc,
  type Fragment,
  importedType,
  join,
  type Printable,
  raw,
  schemaTypes,
  string,
} from './file.js'
import { WIDTH } from './header.js'
import { operationNames } from './operation-names.js'
import { methodType } from './parts.js'
import { createWriter, type WrittenCheck } from './validators/writer.js'

/**
 * `validators.ts`: for each named schema, and for each part of an operation, a check as plain code.
 * Each export is independent, so that a bundler keeps only those that are used. `explanations.ts` reports why a value
 * is rejected.
 */
export function emitValidators(api: Api): Module {
  const schemas = [...api.schemas].map(
    ([name, named]) => [name, { ...named, schema: withoutAnnotations(named.schema) }] as const,
  )
  const plain: Api = { ...api, schemas: new Map(schemas) }
  const writer = createWriter(plain)
  const item = (name: string, body: Fragment): Declaration => ({
    name,
    kind: 'item',
    keyword: 'const',
    body,
  })
  const named = [...plain.schemas.values()].flatMap(({ name, usedBy }) => {
    const type = code`${schemaTypes(usedBy)}[${string(name)}]`
    const { functions, ...checks } = writer.named(name)
    return [item(name, code`= ${checksOf(checks, name.length + 18, type)}`), ...functions]
  })
  const names = operationNames(api)
  const operations = api.operations.flatMap((operation) => {
    const functions: Declaration[] = []
    const print = ({ schema, name }: OperationPart): Fragment => {
      const referred = referredName(schema)
      if (referred !== undefined) return declared(referred)
      const written = writer.schema(
        withoutAnnotations(schema),
        pascalCase(`${operation.id} ${name}`),
      )
      functions.push(...written.functions)
      const partType =
        operation.kind === 'rpc' && PLAIN.has(name)
          ? code`${methodType(operation)}[${string(name)}]`
          : undefined
      return checksOf(written, name.length + 8, partType)
    }
    const parts = printParts(operationParts(operation), print)
    return [item(operation.id, code`: ${checksType(operation, names)} = ${parts}`), ...functions]
  })
  return {
    name: 'validators.ts',
    declarations: [...named, ...operations, ...servicesOf(api), ...writer.support()],
  }
}

/** The type of the checks of an operation, which declarations of other compilers than TypeScript's need. */
function checksType(operation: Operation, names: Names): Fragment {
  if (operation.kind === 'rpc') return methodPartsType(operation, 'Checks', names)
  const typeOfPart = ({ schema }: OperationPart): Fragment => {
    const referred = referredName(schema)
    return referred === undefined
      ? importedType('Checks', RUNTIME)
      : code`typeof ${declared(referred)}`
  }
  const typeOfParts = (parts: Parts): Fragment => {
    const lines = Object.entries(parts).map(
      ([key, one]) =>
        code`readonly ${keyText(key)}: ${isPart(one) ? typeOfPart(one) : typeOfParts(one)}`,
    )
    return lines.length === 0 ? raw('{}') : code`{\n  ${join(lines)}\n}`
  }
  return typeOfParts(operationParts(operation))
}

/** The parts of a method that are not of a variant. */
const PLAIN: ReadonlySet<string> = new Set(['params', 'result'])

type Names = ReturnType<typeof operationNames>

/** The type of the parts of a method, from its own types. */
export const methodPartsType = (
  operation: RpcOperation,
  parts: 'Checks' | 'Validators',
  names: Names,
): Fragment => {
  const typeOf = (of: 'Method' | 'Variant') =>
    importedType(`${of}${parts}`, 'twinspec/runtime/operation')
  const method = code`${typeOf('Method')}<${methodType(operation)}>`
  if (operation.variants === undefined) return method
  const variants = importedType(names(operation).variants, './rpc.types.js')
  return code`${method} & ${typeOf('Variant')}<${variants}>`
}

/** A tree of parts as a literal, one line per part. */
export function printParts(
  parts: Parts,
  print: (part: OperationPart, path: readonly string[]) => Printable,
  path: readonly string[] = [],
): Fragment {
  const lines = Object.entries(parts).map(([key, one]) => {
    const at = [...path, key]
    return code`${memberName(key)}: ${isPart(one) ? print(one, at) : printParts(one, print, at)},`
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

/** The validators of each kind of operation in one object, so that the bundle of a client contains only one kind. */
export function servicesOf(api: Api): readonly Declaration[] {
  return (['http', 'rpc'] as const).flatMap((kind): readonly Declaration[] => {
    if (!api[kind]) return []
    const all = api.operations.filter((one) => one.kind === kind).map(({ id }) => declared(id))
    return [
      {
        name: `${kind}Validators`,
        kind: 'list',
        keyword: 'const',
        comment: doc(`The validators of every operation in \`${kind}Service\`.`),
        body: code`: {
  ${join(all.map((one) => code`readonly ${one}: typeof ${one}`))}
} = {
  ${join(all.map((one) => code`${one},`))}
}`,
        ...(kind === 'http' && { joined }),
      },
    ]
  })
}

/** The validators of folders, with those of schemas. */
const joined = (modules: readonly Fragment[]): Fragment => code`:
  ${join(modules.map((one) => code`& typeof ${one}`))}
  = /* @__PURE__ */ Object.assign(
    {},
    ${join(modules.map((one) => code`${one},`))}
  )`

function checksOf(
  { check, open }: Omit<WrittenCheck, 'functions'>,
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

const RUNTIME = 'twinspec/runtime/validate'
