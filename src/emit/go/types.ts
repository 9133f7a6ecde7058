import type { Api } from '../../model/api.js'
import { pointerStep } from '../../runtime/shared/pointer.js'
import { dereference, referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import { goString } from '../../text/escape.js'
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
import { type AlignedRow, aligned, comment, goIndented } from './layout.js'
import { DECLARED, exportedName, STRUCT_MEMBERS } from './names.js'
import {
  ANY,
  elementText,
  fieldText,
  type GoField,
  type GoMember,
  type GoShape,
  type GoType,
  integerType,
  literalType,
  memberText,
  NULL,
  scalar,
} from './type-forms.js'

/** The types of one package. `typeOf` declares what it needs; `hint` names schemas without a name. */
export type GoTypes = {
  readonly typeOf: (placed: PlacedSchema, hint: string) => GoType
  /** A union of types, which may be one type. */
  readonly union: (members: readonly GoMember[], name: string) => GoType
  /** A struct of arguments, or of a form. */
  readonly struct: (name: string, fields: readonly StructField[], description: string) => GoType
  readonly properties: (placed: PlacedSchema) => readonly ObjectProperty[] | undefined
  readonly resolve: (placed: PlacedSchema) => PlacedSchema
  /** A name that nothing else in the package has. */
  readonly name: (name: string) => string
  readonly declarations: () => readonly string[]
  /** The registry of unions, for the runtime. */
  readonly unions: () => readonly string[]
  /** How the declared types are written. */
  readonly shapes: ReadonlyMap<string, GoShape>
}

export type StructField = {
  readonly name: string
  readonly type: string
  readonly tag?: string
  readonly comment: string
  /** The name of its value in a call: `query.limit`, or that of a property. */
  readonly slot: string
  readonly isRequired: boolean
}

export const createGoTypes = ({ schemas }: Pick<Api, 'schemas'>): GoTypes => {
  const used = new Set(DECLARED)
  const declared = new Map<string, string>()
  const named = new Map<string, GoType>()
  const open = new Set<string>()
  const made = new Map<string, GoType>()
  const unions = new Map<string, string>()
  const shapes = new Map<string, GoShape>()
  const fieldsOf = (name: string) => {
    const shape = shapes.get(name)
    return shape?.kind === 'struct' ? shape.fields : undefined
  }
  const methods = new Map<string, string>()

  const refer = (name: string): GoType => {
    const known = named.get(name)
    // A struct that is not complete yet leads to itself: only a pointer can.
    if (known !== undefined)
      return open.has(name) && known.holds === 'struct'
        ? { ...known, text: `*${known.text}`, holds: 'nil' }
        : known
    const own = uniqueName(exportedName(name), used)
    const placed = placedName(name, schemas)
    const nullable = statesNull(placed.schema, 0)
    const object = soleObject(placed)
    declared.set(own, '')
    open.add(name)
    const isStruct = object !== undefined && isTaggable(object)
    const self: GoType = {
      text: own,
      holds: isStruct ? 'struct' : 'nil',
      nullable,
      isDeclared: true,
    }
    named.set(name, self)
    const { description } = Object(placed.schema) as SchemaObject
    let found = self
    if (isStruct) declareStruct(own, object, placed)
    else {
      const type = printed(placed, own, own)
      if (type.text !== own) {
        // json.Number and any lose their meaning under another name; a type of the package keeps its methods.
        const isAlias =
          type.isDeclared ||
          type.text === 'any' ||
          type.text === 'json.Number' ||
          type.members !== undefined ||
          type.text.startsWith('*')
        shapes.set(own, { kind: 'named', of: type.text })
        declared.set(
          own,
          withComment([description], `type ${own} ${isAlias ? '= ' : ''}${type.text}`),
        )
        found = isAlias ? { ...type, nullable } : { ...type, text: own, nullable, isDeclared: true }
      } else {
        found = { ...type, nullable }
      }
    }
    open.delete(name)
    named.set(name, found)
    return found
  }

  const typeOf = (placed: PlacedSchema, hint: string): GoType => {
    const known = made.get(placed.place)
    if (known !== undefined && placed.place !== '') return known
    const type = printed(placed, hint)
    made.set(placed.place, type)
    return type
  }

  /** `own` is the name that is reserved for the schema itself, if it has one. */
  const printed = (placed: PlacedSchema, hint: string, own?: string): GoType => {
    const { schema, place } = placed
    if (typeof schema === 'boolean') return ANY
    const name = referredName(schema)
    if (name !== undefined && !hasShape(schema)) return refer(name)
    if (schema.const !== undefined) return literalType([schema.const])
    if (schema.enum !== undefined) return enumType(schema.enum, hint, own, schema.description)
    const union = unionOf(schema)
    if (union !== undefined && !mergesObjects(placed, schemas)) {
      const members = union.branches.map((branch, at) => {
        const at_ = { schema: branch, place: `${place}/${union.key}/${at}` }
        return {
          type: typeOf(at_, hintOf(branch, `${hint}Variant${at + 1}`)),
          at: memberPlace(at_),
        }
      })
      return unionType(members, hint, own, schema.description)
    }
    const alternatives = objectAlternatives(placed, schemas)
    if (alternatives !== undefined) {
      if (!alternatives.every(({ properties }) => isTaggable(properties))) return mapType(ANY)
      const members = alternatives.map((one, at) => {
        const base = alternatives.length > 1 ? `${hint}Variant${at + 1}` : hint
        const title = exportedName(hintOf(one.at.schema, base))
        const struct =
          alternatives.length === 1 && own !== undefined ? own : uniqueName(title, used)
        declared.set(struct, '')
        declareStruct(struct, one.properties, one.at)
        return {
          type: { text: struct, holds: 'struct', nullable: false, isDeclared: true } as const,
          at: one.at.place,
        }
      })
      return unionType(members, hint, own, schema.description)
    }
    const parts = (schema.allOf ?? []).map((one, at) => ({
      schema: one,
      place: `${place}/allOf/${at}`,
    }))
    const plain = plainType({ schema, place }, hint)
    const known = [plain, ...parts.map((one) => typeOf(one, hint))]
    return known.find((one) => one !== undefined && (one.text !== 'any' || one === NULL)) ?? ANY
  }

  const plainType = (placed: PlacedSchema, hint: string): GoType | undefined => {
    const schema = placed.schema as SchemaObject
    const all = schema.type === undefined ? guessedTypes(schema) : [schema.type].flat()
    const kinds = all.filter((kind) => kind !== 'null')
    const nullable = kinds.length < all.length
    const types = kinds.map((kind): GoType => {
      if (kind === 'array') return listType(placed, hint)
      if (kind === 'object') return objectType(placed, hint)
      if (kind === 'integer') return integerType(schema)
      return kind === 'string' ? scalar('string') : scalar(kind === 'boolean' ? 'bool' : 'float64')
    })
    if (types.length === 0) return nullable ? NULL : undefined
    const found = unionType(
      types.map((type) => ({ type, at: placed.place })),
      hint,
      undefined,
      undefined,
    )
    return { ...found, nullable }
  }

  const listType = ({ schema, place }: PlacedSchema, hint: string): GoType => {
    const { prefixItems = [], items = prefixItems.length === 0 } = schema as SchemaObject
    const singular = hint.endsWith('Item') ? hint : `${hint}Item`
    const item =
      prefixItems.length > 0 ? ANY : typeOf({ schema: items, place: `${place}/items` }, singular)
    return { text: `[]${elementText(item)}`, holds: 'nil', nullable: false, isDeclared: false }
  }

  const objectType = ({ schema, place }: PlacedSchema, hint: string): GoType => {
    const { additionalProperties: others, patternProperties = {} } = schema as SchemaObject
    const values = [
      ...Object.entries(patternProperties).map(([pattern, one]) => ({
        schema: one,
        place: `${place}/patternProperties${pointerStep(pattern)}`,
      })),
      ...(typeof others === 'object'
        ? [{ schema: others, place: `${place}/additionalProperties` }]
        : []),
    ].map((one) => typeOf(one, `${hint}Value`))
    const [first = ANY] = values
    return mapType(others !== true && values.every(({ text }) => text === first.text) ? first : ANY)
  }

  const mapType = (value: GoType): GoType => ({
    ...{
      text: `map[string]${elementText(value)}`,
      holds: 'nil',
      nullable: false,
      isDeclared: false,
    },
  })

  const enumType = (
    values: readonly unknown[],
    hint: string,
    own: string | undefined,
    description: string | undefined,
  ): GoType => {
    const present = values.filter((one) => one !== null)
    const nullable = present.length < values.length
    const texts = present.filter((one) => typeof one === 'string')
    if (present.length < 2 || texts.length < present.length) {
      const type = literalType(values)
      return present.length === 0
        ? NULL
        : { ...literalType(present), nullable: nullable || type === ANY }
    }
    const name = own ?? uniqueName(exportedName(hint), used)
    const constants = texts.map((text) => ({
      comment: '',
      cells: [
        uniqueName(name + exportedName(text).replace(/^X(?=$|\d)/, ''), used),
        name,
        `= ${goString(text)}`,
      ],
    }))
    shapes.set(name, { kind: 'named', of: 'string' })
    const block = `const (\n${goIndented(aligned(constants))}\n)`
    declared.set(
      name,
      `${withComment([description, 'A newer service may have other values.'], `type ${name} string`)}\n\n// The values of ${name}.\n${block}`,
    )
    return { text: name, holds: 'value', nullable, isDeclared: true, isText: true }
  }

  /** One type that every member is, or an interface that only these types implement. */
  const unionType = (
    all: readonly GoMember[],
    hint: string,
    own: string | undefined,
    description: string | undefined,
  ): GoType => {
    const nullable = all.some(({ type }) => type.nullable)
    const flat = all.flatMap(({ type, at }) => type.members ?? [{ type, at }])
    const distinct = flat.filter(
      ({ type }, at) => flat.findIndex((one) => one.type.text === type.text) === at,
    )
    const [first] = distinct
    if (first === undefined) return ANY
    if (distinct.some(({ type }) => type.text === 'any' || type.text.startsWith('*'))) return ANY
    if (distinct.length === 1) return { ...first.type, nullable }
    // Texts without a name of their own are texts of the one that has a name.
    const texts = distinct.filter(({ type }) => type.isText && type.isDeclared)
    if (
      texts.length === 1 &&
      distinct.every(({ type }) => type.isText && (type.isDeclared || type.text === 'string'))
    )
      return { ...(texts[0] as GoMember).type, nullable }
    const name = own ?? uniqueName(exportedName(hint), used)
    declared.set(name, '')
    const members = distinct.map((one) => ({
      ...one,
      type: one.type.isDeclared ? one.type : wrapped(one.type, name),
    }))
    declareUnion(name, members, description)
    return { text: name, holds: 'nil', nullable, isDeclared: true, members }
  }

  /** A type of the package for a type that cannot have methods. */
  const wrapped = (type: GoType, union: string): GoType => {
    const suffix = WRAPPERS.find(([start]) => type.text.startsWith(start))?.[1] ?? 'Value'
    const name = uniqueName(union + suffix, used)
    const isNumber = type.text === 'json.Number'
    shapes.set(name, { kind: 'named', of: type.text })
    declared.set(
      name,
      `// ${name} is a member of ${union}.\ntype ${name} ${type.text}${
        isNumber
          ? `\n\n// IsNumber marks the type as a number of JSON.\nfunc (${name}) IsNumber() {}\n\n// MarshalJSON writes the number.\nfunc (n ${name}) MarshalJSON() ([]byte, error) {\n\treturn json.Marshal(json.Number(n))\n}`
          : ''
      }`,
    )
    return { ...type, text: name, isDeclared: true, nullable: false }
  }

  const declareUnion = (
    name: string,
    members: readonly GoMember[],
    description: string | undefined,
  ): void => {
    const unknown = uniqueName(`Unknown${name}`, used)
    const marker = `is${name}`
    shapes.set(name, { kind: 'union', members: members.map(({ type }) => type) })
    const shared = commonFields(members)
    const signatures = shared.map(({ getter, type }) => `\t${getter}() ${type}\n`)
    const shown = members.map(({ type }) => memberText(type))
    const text = [
      withComment(
        [
          description,
          `One of ${shown.join(', ')}, or *${unknown} for a variant that the document does not have.`,
        ],
        `type ${name} interface {\n\t${marker}()\n${signatures.join('')}}`,
      ),
      `// ${unknown} is a variant of ${name} that the document does not have.\ntype ${unknown} struct{ Value any }`,
      `// MarshalJSON writes the value as it came.\nfunc (u *${unknown}) MarshalJSON() ([]byte, error) {\n\treturn json.Marshal(u.Value)\n}`,
      ...[...members.map(({ type }) => memberText(type)), `*${unknown}`].map((receiver) =>
        emptyMethod(`func (${receiver}) ${marker}()`),
      ),
      ...shared.map(({ getter, type }) => {
        return `// ${getter} returns nothing: the variant is not known.\nfunc (*${unknown}) ${getter}() ${type} {\n\tvar none ${type}\n\treturn none\n}`
      }),
    ]
    declared.set(name, text.join('\n\n'))
    for (const { getter, field, type } of shared)
      for (const member of members)
        methods.set(
          `${member.type.text}.${getter}`,
          `// ${getter} returns ${field}, which all variants have.\nfunc (v *${member.type.text}) ${getter}() ${type} {\n\treturn v.${field}\n}`,
        )
    const listed = members.map(
      ({ type, at }) => `runtime.MemberOf[${memberText(type)}](${goString(at)})`,
    )
    unions.set(
      name,
      `runtime.UnionOf[${name}, ${unknown}](\n${listed.map((one) => `\t${one},\n`).join('')})`,
    )
  }

  /** The properties that all structs of a union have, with one name and one type. */
  const commonFields = (members: readonly GoMember[]) => {
    const all = members.map(({ type }) =>
      type.holds === 'struct' ? fieldsOf(type.text) : undefined,
    )
    const [first] = all
    if (first === undefined || all.includes(undefined)) return []
    return [...first].flatMap(([wire, { name, type }]) => {
      const getter = `Get${name}`
      const isShared = all.every((fields) => {
        const found = fields?.get(wire)
        return (
          found?.name === name &&
          found.type === type &&
          ![...(fields?.values() ?? [])].some((one) => one.name === getter)
        )
      })
      return isShared ? [{ getter, field: name, type }] : []
    })
  }

  const declareStruct = (
    own: string,
    properties: readonly ObjectProperty[],
    at: PlacedSchema,
  ): void => {
    const { description } = Object(dereference(at.schema, schemas)) as SchemaObject
    const names = new Set(STRUCT_MEMBERS)
    const known = new Map<string, GoField>()
    const rows = properties.map((property): AlignedRow => {
      const name = uniqueName(exportedName(property.name), names)
      const type = fieldText(typeOf(property, own + exportedName(property.name)), property.required)
      const real = Object(dereference(property.schema, schemas)) as SchemaObject
      const values = real.const === undefined ? real.enum : [real.const]
      known.set(property.name, { name, type, isRequired: property.required, values })
      const option = property.required ? (property.name === '-' ? ',' : '') : ',omitzero'
      return {
        cells: [name, type, `\`json:"${property.name}${option}"\``],
        comment: comment([(Object(property.schema) as SchemaObject).description]),
      }
    })
    const others = othersType(at, own)
    const more =
      others === undefined
        ? []
        : ['', '// Others are further properties.', `Others map[string]${others} \`json:"-"\``]
    const body = ['Record', ...(rows.length > 0 ? ['', aligned(rows)] : []), ...more].join('\n')
    shapes.set(own, { kind: 'struct', fields: known, others })
    const text = withComment(
      [description ?? `${own} is an object of the document.`],
      `type ${own} struct {\n${goIndented(body)}\n}`,
    )
    declared.set(
      own,
      others === undefined
        ? text
        : `${text}\n\n// MarshalJSON writes the properties and the others.\nfunc (v ${own}) MarshalJSON() ([]byte, error) {\n\ttype plain ${own}\n\treturn runtime.MarshalWith(plain(v), v.Others)\n}`,
    )
  }

  const othersType = (at: PlacedSchema, own: string): string | undefined => {
    const { schema, place } = resolvedPlace(at, schemas)
    const { additionalProperties: others } = Object(schema) as SchemaObject
    if (others === undefined || others === false) return undefined
    return others === true
      ? 'any'
      : elementText(
          typeOf({ schema: others, place: `${place}/additionalProperties` }, `${own}Value`),
        )
  }

  const soleObject = (placed: PlacedSchema): readonly ObjectProperty[] | undefined => {
    const { schema } = placed
    if (typeof schema === 'boolean' || schema.const !== undefined || schema.enum !== undefined)
      return undefined
    if (unionOf(schema) !== undefined && !mergesObjects(placed, schemas)) return undefined
    const found = objectAlternatives(placed, schemas)
    return found?.length === 1 ? found[0]?.properties : undefined
  }

  const memberPlace = (placed: PlacedSchema): string => resolvedPlace(placed, schemas).place

  /** Whether a schema states null as a value. One without a type accepts null as it accepts anything, but states an object or a text. */
  const statesNull = (schema: Schema, hops: number): boolean => {
    const real = dereference(schema, schemas)
    if (typeof real === 'boolean' || hops > 20) return real === true
    if (real.const !== undefined) return real.const === null
    if (real.enum !== undefined) return real.enum.includes(null)
    const branches = real.oneOf ?? real.anyOf
    if (branches !== undefined) return branches.some((one) => statesNull(one, hops + 1))
    return real.type !== undefined && [real.type].flat().includes('null')
  }

  return {
    typeOf: (placed, hint) => {
      const type = typeOf(placed, hint)
      return { ...type, nullable: type.nullable || statesNull(placed.schema, 0) }
    },
    union: (members, name) => unionType(members, name, undefined, undefined),
    struct: (name, fields, description) => {
      declared.set(
        name,
        withComment(
          [description],
          `type ${name} struct {\n${goIndented(aligned(fields.map((one) => ({ comment: one.comment, cells: [one.name, one.type, ...(one.tag ? [one.tag] : [])] }))))}\n}`,
        ),
      )
      const own = fields.map(({ slot, isRequired, ...one }): [string, GoField] => [
        slot,
        { name: one.name, type: one.type, isRequired, values: undefined },
      ])
      shapes.set(name, { kind: 'struct', fields: new Map(own), others: undefined })
      return { text: name, holds: 'struct', nullable: false, isDeclared: true }
    },
    properties: (placed) => soleObject(resolvedPlace(placed, schemas)),
    resolve: (placed) => resolvedPlace(placed, schemas),
    name: (name) => uniqueName(name, used),
    declarations: () => [...[...declared.values()].filter(Boolean), ...methods.values()],
    unions: () => [...unions.values()],
    shapes,
  }
}

/** A method without a body, as gofmt writes it. */
const emptyMethod = (head: string): string => (head.length < 98 ? `${head} {}` : `${head} {\n}`)

const WRAPPERS = [
  ['string', 'String'],
  ['bool', 'Bool'],
  ['json.Number', 'Integer'],
  ['int64', 'Integer'],
  ['float64', 'Number'],
  ['[]', 'List'],
  ['map', 'Map'],
] as const

const hintOf = (schema: Schema, otherwise: string): string => {
  const { title } = Object(schema) as SchemaObject
  return title !== undefined && /^[\w -]{1,60}$/.test(title) ? title : otherwise
}

/** Whether the names of properties can be written in the tags of a struct. */
const isTaggable = (properties: readonly ObjectProperty[]): boolean =>
  properties.every(({ name }) => /^[\p{L}\p{Nd}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u.test(name))

const withComment = (paragraphs: readonly (string | undefined)[], text: string): string => {
  const above = comment(paragraphs)
  return above === '' ? text : `${above}\n${text}`
}
