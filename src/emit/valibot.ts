import type { Api } from '../model/api.js'
import { freeName } from '../text/names.js'
import {
  code,
  type File,
  type Fragment,
  importedBeside,
  importedNamespace,
  join,
  literal,
  string,
} from './file.js'
import { emitLibrarySchemas, type SchemaLibrary } from './schema-library.js'
import { listOfCode } from './typebox.js'

/** `valibot.ts`: the named schemas and the parts of each operation as schemas of Valibot. */
export const emitValibot = (api: Api): File => emitLibrarySchemas('valibot.ts', api, valibotBeside)

function valibotBeside(exported: ReadonlySet<string>): SchemaLibrary {
  const v = importedNamespace(freeName('v', exported), 'valibot')
  const ours = (name: string) => importedBeside(exported, name, 'twinspec/runtime/valibot')
  const schemaType: SchemaLibrary['schemaType'] = (type) => code`${v}.GenericSchema<${type}>`
  const as: SchemaLibrary['as'] = (value, type) => code`${value} as unknown as ${schemaType(type)}`
  const pipe = (value: Fragment, checks: readonly Fragment[]): Fragment =>
    checks.length === 0 ? value : code`${v}.pipe(${join([value, ...checks], ', ')})`
  return {
    never: code`${v}.never()`,
    unknown: code`${v}.unknown()`,
    null: code`${v}.null()`,
    boolean: code`${v}.boolean()`,
    string: code`${v}.string()`,
    hex: code`${ours('hex')}()`,
    number: code`${v}.pipe(${v}.number(), ${v}.finite())`,
    integer: code`${v}.pipe(${v}.number(), ${v}.integer())`,
    literals: (values) => {
      const others = values.filter(
        (value) => typeof value === 'string' || typeof value === 'number',
      )
      const rest = values.filter((value) => !others.includes(value as string))
      const one = (value: unknown) =>
        value === null ? code`${v}.null()` : code`${v}.literal(${literal(value)})`
      const members = [
        ...(others.length > 1 ? [code`${v}.picklist(${literal(others)})`] : others.map(one)),
        ...rest.map(one),
      ]
      const [first = code`${v}.never()`] = members
      return members.length < 2 ? first : code`${v}.union(${listOfCode(members)})`
    },
    array: (item) => code`${v}.array(${item})`,
    tuple: (items, required) =>
      // The type of an item that may be absent would have `undefined`.
      required < items.length ? undefined : code`${ours('tuple')}(${listOfCode(items)})`,
    object: (kind, members) => {
      const value = code`${ours(`${kind}Object`)}(${members})`
      // Valibot infers `{}`, which has any property.
      const isEmpty = kind === 'closed' && members.text === '{}'
      return isEmpty ? as(value, 'Record<string, never>') : value
    },
    objectWithRest: (members, rest) => code`${ours('objectWithRest')}(${members}, ${rest})`,
    map: (value) => code`${ours('map')}(${value})`,
    optional: (value) => code`${ours('optional')}(${value})`,
    nullable: (value) => code`${v}.nullable(${value})`,
    anyOf: (branches) => code`${v}.union(${listOfCode(branches)})`,
    oneOf: (branches) => code`${ours('oneOf')}(${listOfCode(branches)})`,
    discriminated: (key, branches) => code`${v}.variant(${string(key)}, ${listOfCode(branches)})`,
    allOf: (parts) => code`${v}.intersect(${listOfCode(parts)})`,
    closesParts: true,
    later: (name) => code`${v}.lazy((): ${schemaType(name)} => ${name})`,
    bound: (keyword, value) => {
      const action = BOUNDS.get(keyword)
      // Valibot counts UTF-16 code units: only an empty text has none, as it has no characters.
      if (action === undefined || (keyword === 'minLength' && value > 1)) return undefined
      return code`${v}.${action}(${literal(value)})`
    },
    keywords: (schema) => code`${ours('keywords')}(${schema})`,
    checked: pipe,
    conforms: (type, schema) => code`${ours('conforms')}<${type}>(${schema})`,
    as,
    schemaType,
    valueType: (name) => code`${v}.InferOutput<typeof ${name}>`,
  }
}

const BOUNDS = new Map([
  ['minimum', 'minValue'],
  ['maximum', 'maxValue'],
  ['exclusiveMinimum', 'gtValue'],
  ['exclusiveMaximum', 'ltValue'],
  ['minItems', 'minLength'],
  ['maxItems', 'maxLength'],
  ['minLength', 'minLength'],
])
