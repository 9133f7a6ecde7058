import type { Api } from '../../model/api.js'
import { pointerStep } from '../../runtime/shared/pointer.js'
import { dereference, referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import { pythonString } from '../../text/escape.js'
import { uniqueName } from '../../text/names.js'
import {
  guessedTypes,
  hasShape,
  mergesObjects,
  type ObjectProperty,
  objectAlternatives,
  type PlacedSchema,
  placedName,
  resolvedPlace,
  unionOf,
} from '../languages/shapes.js'
import { docstring, namesInType, pythonIndented } from './layout.js'
import { className, snakeCase } from './names.js'

/** What a value of a schema is for: a record of a response, or a value that a caller passes. */
export type TypeUse = 'record' | 'input'

/** The members of a union: `Order`, `list[str]`, `None`. */
export type UnionMembers = readonly string[]

/**
 * The types of one package. `typeOf` prints the type of a schema and declares the classes that it needs. Records are classes with
 * attributes; inputs are TypedDicts with the names of the wire. The runtime makes records by these annotations, so that a value always
 * is of its type.
 */
export type Types = {
  /** `hint` names the classes of schemas without a name. */
  readonly typeOf: (placed: PlacedSchema, use: TypeUse, hint: string) => UnionMembers
  /** The properties of an object that is no union. */
  readonly properties: (placed: PlacedSchema) => readonly ObjectProperty[] | undefined
  /** The schema that a reference leads to, at its own place. */
  readonly resolve: (placed: PlacedSchema) => PlacedSchema
  /** What the server sends. */
  readonly sent: Api['serverMethods']
  /** Texts of the declarations so far. */
  readonly declarations: (use: TypeUse) => readonly string[]
  /** The names that the declarations so far refer to. */
  readonly words: (use: TypeUse) => ReadonlySet<string>
  /** The names that are declared so far. */
  readonly names: (use: TypeUse) => ReadonlySet<string>
}

export const createTypes = ({
  schemas,
  serverMethods,
}: Pick<Api, 'schemas' | 'serverMethods'>): Types => {
  const used = new Set<string>()
  const declared = { record: new Map<string, string>(), input: new Map<string, string>() }
  const named = { record: new Map<string, string>(), input: new Map<string, string>() }

  const words = { record: new Set<string>(), input: new Set<string>() }

  /** The text of a type within a declaration. */
  const inDeclaration = (text: string, use: TypeUse): string => {
    for (const name of namesInType(text)) words[use].add(name)
    return text
  }

  const refer = (name: string, use: TypeUse): UnionMembers => {
    const known = named[use].get(name)
    if (known !== undefined) return [known]
    const placed = placedName(name, schemas)
    const base = className(name)
    const own = uniqueName(use === 'input' ? `${base}Input` : base, used)
    named[use].set(name, own)
    // The place in the order of declarations.
    declared[use].set(own, '')
    const object = soleObject(placed)
    if (object !== undefined) declared[use].set(own, classText(own, object, placed, use))
    else {
      const text = unionText(typeOf(placed, use, `${base}Item`))
      if (use === 'input' && isShared(placed, text, base)) {
        declared.input.delete(own)
        used.delete(own)
        const [shared = own] = refer(name, 'record')
        named.input.set(name, shared)
        return [shared]
      }
      const { description } = Object(placed.schema) as SchemaObject
      declared[use].set(
        own,
        `${own}: ${inDeclaration('TypeAlias', use)} = ${pythonString(inDeclaration(text, use))}\n${docstring([description])}`,
      )
    }
    return [own]
  }

  /** Whether callers pass the same scalars that responses have, so that one name serves both. */
  const isShared = (placed: PlacedSchema, text: string, base: string): boolean => {
    const scalars = new Set([...Object.values(SCALARS), ...aliases])
    const same = unionText(typeOf(placed, 'record', `${base}Item`)) === text
    const isScalar = same && namesInType(text).every((one) => scalars.has(one))
    if (isScalar) aliases.add(base)
    return isScalar
  }

  /** The names of scalars. */
  const aliases = new Set<string>()

  /** Members by use and place, so that no class is declared twice. */
  const made = new Map<string, UnionMembers>()

  const typeOf = (placed: PlacedSchema, use: TypeUse, hint: string): UnionMembers => {
    const key = `${use} ${placed.place}`
    const known = made.get(key)
    if (known !== undefined) return known
    const members = printed(placed, use, hint)
    // A reference without a place of its own is known by its name.
    if (placed.place !== '') made.set(key, members)
    return members
  }

  const printed = (placed: PlacedSchema, use: TypeUse, hint: string): UnionMembers => {
    const { schema, place } = placed
    if (typeof schema === 'boolean') return ['Any']
    const name = referredName(schema)
    if (name !== undefined && !hasShape(schema)) return refer(name, use)
    if (schema.const !== undefined) return [literal(schema.const, use, 'only')]
    if (schema.enum !== undefined)
      return schema.enum.map((one) => literal(one, use, schema.enum?.length === 1 ? 'only' : 'one'))
    const union = unionOf(schema)
    if (union !== undefined && !mergesObjects(placed, schemas))
      return union.branches.flatMap((branch, at) =>
        typeOf(
          { schema: branch, place: `${place}/${union.key}/${at}` },
          use,
          hintOf(branch, `${hint}Variant${at + 1}`),
        ),
      )
    const alternatives = objectAlternatives(placed, schemas)
    if (alternatives !== undefined)
      return alternatives.map((one, at) => {
        const base = alternatives.length > 1 ? `${hint}Variant${at + 1}` : hint
        const suffix = use === 'input' ? 'Input' : ''
        const own = uniqueName(className(hintOf(one.at.schema, base)) + suffix, used)
        declared[use].set(own, '')
        declared[use].set(own, classText(own, one.properties, one.at, use))
        return own
      })
    const parts = (schema.allOf ?? []).map((one, at) => ({
      schema: one,
      place: `${place}/allOf/${at}`,
    }))
    const plain = withoutAll(schema)
    const own = plain === undefined ? [] : typesOf({ schema: plain, place }, use, hint)
    const known = [own, ...parts.map((one) => typeOf(one, use, hint))].find(
      (members) => members.length > 0 && !members.includes('Any'),
    )
    return known ?? ['Any']
  }

  const typesOf = (placed: PlacedSchema, use: TypeUse, hint: string): UnionMembers => {
    const schema = placed.schema as SchemaObject
    const kinds = schema.type === undefined ? guessedTypes(schema) : [schema.type].flat()
    return kinds.flatMap((kind): UnionMembers => {
      if (kind === 'array') return [listOf(placed, use, hint)]
      if (kind === 'object') return [mapOf(placed, use, hint)]
      return [SCALARS[kind] ?? 'Any']
    })
  }

  const listOf = ({ schema, place }: PlacedSchema, use: TypeUse, hint: string): string => {
    const { prefixItems = [], items = prefixItems.length === 0 } = schema as SchemaObject
    const singular = hint.endsWith('Item') ? hint : `${hint}Item`
    const members = [
      ...prefixItems.flatMap((one, at) =>
        typeOf({ schema: one, place: `${place}/prefixItems/${at}` }, use, `${singular}${at + 1}`),
      ),
      ...(items === false ? [] : typeOf({ schema: items, place: `${place}/items` }, use, singular)),
    ]
    const item = unionText(members)
    // No Sequence: a text is a sequence of texts.
    return use === 'record' ? `list[${item}]` : `list[${item}] | tuple[${item}, ...]`
  }

  const mapOf = ({ schema, place }: PlacedSchema, use: TypeUse, hint: string): string => {
    const { additionalProperties: others, patternProperties = {} } = schema as SchemaObject
    const values = [
      ...Object.entries(patternProperties).map(([pattern, one]) => ({
        schema: one,
        place: `${place}/patternProperties${pointerStep(pattern)}`,
      })),
      ...(typeof others === 'object'
        ? [{ schema: others, place: `${place}/additionalProperties` }]
        : []),
    ]
    const isOpen = others === true || (others === undefined && values.length > 0)
    const members = values.flatMap((one) => typeOf(one, use, `${hint}Value`))
    const value = members.length === 0 || (isOpen && others === true) ? 'Any' : unionText(members)
    return use === 'record' ? `dict[str, ${value}]` : `Mapping[str, ${value}]`
  }

  const classText = (
    own: string,
    properties: readonly ObjectProperty[],
    at: PlacedSchema,
    use: TypeUse,
  ): string => {
    const { description } = Object(dereference(at.schema, schemas)) as SchemaObject
    return use === 'record'
      ? recordText(own, properties, at.place, description)
      : dictText(own, properties, description)
  }

  const recordText = (
    own: string,
    properties: readonly ObjectProperty[],
    place: string,
    description: string | undefined,
  ): string => {
    const attributes = new Set<string>()
    const fields = properties.map((property) => {
      const name = uniqueName(snakeCase(property.name), attributes)
      const members = typeOf(property, 'record', own + className(property.name))
      const type = unionText(property.required ? members : [...members, 'None'])
      const comment = docstring([commentOf(property)])
      return {
        name,
        property,
        text: `${name}: ${inDeclaration(type, 'record')}${comment && `\n${comment}`}`,
      }
    })
    const renamed = fields.filter(({ name, property }) => name !== property.name)
    const names = renamed.map(
      ({ name, property }) => `${pythonString(name)}: ${pythonString(property.name)}`,
    )
    const body = [
      ...lines(docstring([description])),
      `_at = ${pythonString(place)}`,
      ...(names.length > 0 ? [`_names = {${names.join(', ')}}`] : []),
      ...fields.map(({ text }) => text),
    ]
    return `class ${own}(Record):\n${pythonIndented(body.join('\n'))}`
  }

  const commentOf = ({ schema }: ObjectProperty): string | undefined => {
    const real = dereference(schema, schemas)
    const { description } = Object(schema) as SchemaObject
    const { description: general, enum: values } = Object(real) as SchemaObject
    const listed =
      values !== undefined && values.length > 1
        ? `One of ${values.map((one) => JSON.stringify(one)).join(', ')}; a newer service may have others.`
        : undefined
    return [description ?? general, listed].filter(Boolean).join('\n\n') || undefined
  }

  const dictText = (
    own: string,
    properties: readonly ObjectProperty[],
    description: string | undefined,
  ): string => {
    const fields = properties.map((property) => {
      const type = unionText(
        typeOf(property, 'input', own.replace(/Input$/, '') + className(property.name)),
      )
      return {
        property,
        type: inDeclaration(property.required ? type : `NotRequired[${type}]`, 'input'),
      }
    })
    inDeclaration('TypedDict', 'input')
    const comment = docstring([description])
    const isPlain = fields.every(({ property }) => isPlainKey(property.name))
    if (!isPlain) {
      const members = fields.map(
        ({ property, type }) => `${pythonString(property.name)}: ${pythonString(type)}`,
      )
      return `${own} = TypedDict(${pythonString(own)}, {${members.join(', ')}})${comment && `\n${comment}`}`
    }
    const body = [
      ...lines(comment),
      ...fields.map(({ property, type }) => {
        const note = docstring([commentOf(property)])
        return `${property.name}: ${type}${note && `\n${note}`}`
      }),
    ]
    return `class ${own}(TypedDict):\n${pythonIndented(body.length > 0 ? body.join('\n') : 'pass')}`
  }

  const soleObject = (placed: PlacedSchema): readonly ObjectProperty[] | undefined => {
    const { schema } = placed
    if (typeof schema === 'boolean' || schema.const !== undefined || schema.enum !== undefined)
      return undefined
    if (unionOf(schema) !== undefined && !mergesObjects(placed, schemas)) return undefined
    const found = objectAlternatives(placed, schemas)
    return found?.length === 1 ? found[0]?.properties : undefined
  }

  return {
    typeOf,
    properties: (placed) => soleObject(resolvedPlace(placed, schemas)),
    resolve: (placed) => resolvedPlace(placed, schemas),
    sent: serverMethods,
    declarations: (use) => [...declared[use].values()],
    words: (use) => words[use],
    names: (use) => new Set(declared[use].keys()),
  }
}

/** `Order | list[str] | None`: each member once, texts before None; Any alone. */
export const unionText = (members: UnionMembers): string => {
  const distinct = [...new Set(members)]
  if (distinct.includes('Any')) return 'Any'
  const literals = distinct.flatMap((one) => /^Literal\[(.*)\]$/s.exec(one)?.[1] ?? [])
  const others = distinct.filter((one) => !one.startsWith('Literal[') && one !== 'None')
  const all = [
    ...others,
    ...(literals.length > 0 ? [`Literal[${literals.join(', ')}]`] : []),
    ...(distinct.includes('None') ? ['None'] : []),
  ]
  return all.join(' | ') || 'None'
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]*$/
const RESERVED =
  /^(False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|str|int|float|bool|list|dict|tuple)$/

/** Whether a key of a TypedDict can be written as an attribute. */
export const isPlainKey = (name: string): boolean => IDENTIFIER.test(name) && !RESERVED.test(name)

/** A listed value: in a response, a new one may come, so that only a single text or integer is a type of its own. */
const literal = (value: unknown, use: TypeUse, which: 'only' | 'one'): string => {
  if (value === null) return 'None'
  if (typeof value === 'string')
    return which === 'only' || use === 'input' ? `Literal[${pythonString(value)}]` : 'str'
  if (typeof value === 'boolean')
    return which === 'only' || use === 'input' ? `Literal[${value ? 'True' : 'False'}]` : 'bool'
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (!Number.isSafeInteger(value))
      return typeof value === 'bigint' || Number.isInteger(value) ? 'int' : 'float'
    return which === 'only' || use === 'input' ? `Literal[${value}]` : 'int'
  }
  if (Array.isArray(value)) return use === 'record' ? 'list[Any]' : 'list[Any] | tuple[Any, ...]'
  return use === 'record' ? 'dict[str, Any]' : 'Mapping[str, Any]'
}

const lines = (text: string): readonly string[] => (text === '' ? [] : [text])

const hintOf = (schema: Schema, otherwise: string): string => {
  const { title } = Object(schema) as SchemaObject
  return title !== undefined && /^[\w -]{1,60}$/.test(title) ? title : otherwise
}

const withoutAll = ({ allOf: _, ...schema }: SchemaObject): SchemaObject | undefined => schema
