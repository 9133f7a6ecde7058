import type { Api } from '../model/api.js'
import { freeName } from '../text/names.js'
import {
  code,
  type File,
  importedBeside,
  importedNamespace,
  join,
  literal,
  string,
} from './file.js'
import { emitLibrarySchemas, type SchemaLibrary } from './schema-library.js'
import { listOfCode } from './typebox.js'

/** `zod.ts`: the named schemas and the parts of each operation as schemas of Zod. */
export const emitZod = (api: Api): File => emitLibrarySchemas('zod.ts', api, zodBeside)

function zodBeside(exported: ReadonlySet<string>): SchemaLibrary {
  const z = importedNamespace(freeName('z', exported), 'zod')
  const ours = (name: string) => importedBeside(exported, name, 'twinspec/runtime/zod')
  const schemaType: SchemaLibrary['schemaType'] = (type) => code`${z}.ZodType<${type}, ${type}>`
  return {
    never: code`${z}.never()`,
    unknown: code`${z}.unknown()`,
    null: code`${z}.null()`,
    boolean: code`${z}.boolean()`,
    string: code`${z}.string()`,
    hex: code`${z}.templateLiteral(['0x', ${z}.string()])`,
    number: code`${z}.number()`,
    integer: code`${ours('integer')}()`,
    literals: (values) => {
      if (values.length === 1) {
        return values[0] === null ? code`${z}.null()` : code`${z}.literal(${literal(values[0])})`
      }
      // An enum is an object with the values as keys.
      const isEnum = values.every((value) => typeof value === 'string' && value !== '__proto__')
      return code`${z}.${isEnum ? 'enum' : 'literal'}(${literal(values)})`
    },
    array: (item) => code`${z}.array(${item})`,
    tuple: (items, required) => {
      const all = items.map((item, at) =>
        at < required ? item : code`${z}.exactOptional(${item})`,
      )
      return code`${z}.tuple(${listOfCode(all)})`
    },
    object: (kind, members) => {
      if (kind === 'open') return code`${ours('openObject')}(${members})`
      return code`${z}.${kind === 'loose' ? 'looseObject' : 'strictObject'}(${members})`
    },
    objectWithRest: (members, rest) => code`${z}.object(${members}).catchall(${rest})`,
    map: (value) => code`${z}.record(${z}.string(), ${value})`,
    optional: (value) => code`${ours('optional')}(${value})`,
    nullable: (value) => code`${z}.nullable(${value})`,
    anyOf: (branches) => code`${z}.union(${listOfCode(branches)})`,
    oneOf: (branches) => code`${z}.xor(${listOfCode(branches)})`,
    discriminated: (key, branches) =>
      code`${z}.discriminatedUnion(${string(key)}, ${listOfCode(branches)})`,
    allOf: (parts) => parts.reduce((all, part) => code`${z}.intersection(${all}, ${part})`),
    closesParts: false,
    later: (name) => code`${z}.lazy((): ${schemaType(name)} => ${name})`,
    bound: (keyword, value) => {
      const method = BOUNDS.get(keyword)
      // Zod 4.3 counts UTF-16 code units: only an empty text has none, as it has no characters.
      if (method === undefined || (keyword === 'minLength' && value > 1)) return undefined
      return code`${method}(${literal(value)})`
    },
    keywords: (schema) => code`check(${ours('keywords')}(${schema}))`,
    checked: (value, checks) => code`${join([value, ...checks], '.')}`,
    conforms: (type, schema) => code`${ours('conforms')}<${type}>(${schema})`,
    as: (value, type) => code`${value} as unknown as ${schemaType(type)}`,
    schemaType,
    valueType: (name) => code`${z}.infer<typeof ${name}>`,
  }
}

const BOUNDS = new Map([
  ['minimum', 'gte'],
  ['maximum', 'lte'],
  ['exclusiveMinimum', 'gt'],
  ['exclusiveMaximum', 'lt'],
  ['minItems', 'min'],
  ['maxItems', 'max'],
  ['minLength', 'min'],
])
