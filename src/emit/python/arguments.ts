import type { HttpOperation, RpcOperation } from '../../model/api.js'
import type { MediaType } from '../../model/http-content.js'
import { holdsFields, holdsValue } from '../../runtime/shared/codecs.js'
import { referredName, type Schema, type SchemaObject, typesIn } from '../../schema/schema.js'
import { pythonString } from '../../text/escape.js'
import { freeName, uniqueName } from '../../text/names.js'
import type { PlacedSchema } from '../languages/shapes.js'
import { className, snakeCase } from './names.js'
import { type Types, type UnionMembers, unionText } from './types.js'

/** One argument of a generated function. */
export type Argument = {
  readonly name: string
  readonly type: string
  /** Undefined for a required one. */
  readonly usual: 'None' | 'OMIT' | string | undefined
  readonly isPositional: boolean
  /** Where its value goes: `query.limit`, `body.name`. */
  readonly slot: string
}

/** The arguments of an HTTP operation: those of the path by position, all others by name. */
export const httpArguments = (
  operation: HttpOperation,
  {
    types,
    body = operation.body?.content ?? [],
  }: { readonly types: Types; readonly body?: readonly BodyContent[] },
): readonly Argument[] => {
  const used = new Set<string>()
  const own = operation.parameters.flatMap((parameter, at): readonly Argument[] => {
    const { name, in: place, required, secret } = parameter
    if (secret) return []
    const plain = snakeCase(name)
    const free = uniqueName(used.has(plain) ? `${plain}_${place}` : plain, used)
    const placed = {
      schema: parameter.schema,
      place: `/http/${operation.id}/parameters/${at}/schema`,
    }
    const members = types.typeOf(placed, 'input', className(operation.id) + className(name))
    const isNeeded = required && !(place === 'header' && name === operation.idempotencyKey)
    return [
      {
        name: free,
        type: unionText(isNeeded ? members : [...members, 'None']),
        usual: isNeeded ? undefined : 'None',
        isPositional: place === 'path',
        slot: `${place}.${name}`,
      },
    ]
  })
  return [...own, ...bodyArguments(operation, body, types, used)]
}

/** A media type of a body, at its place. */
type BodyContent = Pick<MediaType, 'type' | 'codec' | 'encoding' | 'schema'> & {
  readonly place?: string
}

const bodyArguments = (
  operation: HttpOperation,
  contents: readonly BodyContent[],
  types: Types,
  used: Set<string>,
): readonly Argument[] => {
  const { body } = operation
  if (body === undefined || contents.length === 0) return []
  const hint = className(operation.id)
  const at = (content: BodyContent) =>
    content.place ?? `/http/${operation.id}/body/content/${contents.indexOf(content)}/schema`
  const [only] = contents
  if (contents.length === 1 && only !== undefined && !only.type.includes('*')) {
    const flat = propertyArguments(
      only,
      { schema: only.schema, place: at(only) },
      { types, hint, used },
    )
    if (flat !== undefined) return body.required ? flat : flat.map(optional)
  }
  const members = contents.flatMap((content) => bodyType(content, at(content), types, hint))
  const name = uniqueName('body', used)
  const whole: Argument = {
    name,
    type: unionText(body.required ? members : [...members, 'Omit']),
    usual: body.required ? undefined : 'OMIT',
    isPositional: false,
    slot: 'body',
  }
  const isRange = contents.some(({ type }) => type.includes('*'))
  if (contents.length === 1 && !isRange) return [whole]
  const listed = contents.map(({ type }) => `Literal[${pythonString(type)}]`)
  return [
    whole,
    {
      name: uniqueName('content_type', used),
      type: unionText([...(isRange ? ['str'] : listed), 'None']),
      usual: 'None',
      isPositional: false,
      slot: 'contentType',
    },
  ]
}

/** An argument that may be left out, because the whole body may be. */
const optional = (argument: Argument): Argument =>
  argument.usual !== undefined
    ? argument
    : argument.slot.startsWith('null.')
      ? { ...argument, type: `${argument.type} | Omit`, usual: 'OMIT' }
      : { ...argument, type: unionText([argument.type, 'None']), usual: 'None' }

const bodyType = (
  content: BodyContent,
  place: string,
  types: Types,
  hint: string,
): UnionMembers => {
  const { codec, schema } = content
  if (codec === 'json' || codec === 'lines' || codec === 'sequence')
    return types.typeOf({ schema, place }, 'input', `${hint}Body`)
  if (codec === 'form' || codec === 'multipart') return ['Mapping[str, Any]']
  if (codec === 'any')
    return [...types.typeOf({ schema, place }, 'input', `${hint}Body`), 'FileInput', 'str']
  if (codec === 'parts') return ['list[Any] | tuple[Any, ...]', 'FileInput', 'str']
  return codec === 'text' ? ['str'] : ['FileInput', 'str']
}

/** The properties of an object as arguments; undefined if the object has other members, or two would have one name. */
const propertyArguments = (
  { codec, encoding = {} }: BodyContent,
  placed: PlacedSchema,
  {
    types,
    hint,
    used,
  }: { readonly types: Types; readonly hint: string; readonly used: Set<string> },
): readonly Argument[] | undefined => {
  if (!holdsValue(codec) && !holdsFields(codec)) return undefined
  if (codec !== 'json' && !holdsFields(codec)) return undefined
  const properties = types.properties(placed)
  if (properties === undefined || properties.length === 0 || isOpen(placed.schema, types))
    return undefined
  const names = properties.map(({ name }) => snakeCase(name))
  if (new Set([...names, ...used]).size < names.length + used.size) return undefined
  for (const name of names) used.add(name)
  const owner = className(referredName(placed.schema) ?? hint)
  return properties.map((property, at): Argument => {
    const { name, required } = property
    const isFile = encoding[name]?.isFile === true
    const members = isFile
      ? fileType(property.schema)
      : types.typeOf(property, 'input', owner + className(name))
    const isNullable = members.includes('None') || members.includes('Any')
    const usual = required ? undefined : isNullable ? 'OMIT' : 'None'
    return {
      name: names[at] ?? name,
      type: unionText(
        usual === undefined
          ? members
          : [
              ...members.filter((one) => one !== 'Any' || usual === 'OMIT'),
              usual === 'OMIT' ? 'Omit' : 'None',
            ],
      ),
      usual,
      isPositional: false,
      slot: `${isNullable ? 'null' : 'body'}.${name}`,
    }
  })
}

const fileType = (schema: Schema): UnionMembers =>
  typeof schema === 'object' && typesIn(schema)?.includes('array')
    ? ['list[FileInput] | tuple[FileInput, ...]']
    : ['FileInput']

/** Whether the document describes members besides the properties. */
const isOpen = (schema: Schema, types: Types): boolean => {
  const { additionalProperties: others } = Object(
    types.resolve({ schema, place: '' }).schema,
  ) as SchemaObject
  return others !== undefined && others !== false
}

/** The arguments of a method: its params, by position. `others` are names of other arguments. */
export const rpcArguments = (
  operation: RpcOperation,
  types: Types,
  others: readonly string[] = [],
): readonly Argument[] => {
  const used = new Set(others)
  const lastRequired = operation.params.findLastIndex(({ required }) => required)
  return operation.params.map((param, at) => {
    const placed = { schema: param.schema, place: `/rpc/${operation.id}/params/${at}/schema` }
    const members = types.typeOf(placed, 'input', className(operation.id) + className(param.name))
    const name = uniqueName(freeName(snakeCase(param.name), used), used)
    // An optional param before a required one must be given: null says that it is omitted.
    if (param.required || at < lastRequired)
      return {
        name,
        type: unionText(param.required ? members : [...members, 'None']),
        usual: undefined,
        isPositional: true,
        slot: '',
      }
    const usual = param.acceptsNull ? 'OMIT' : 'None'
    const type = unionText([...members, usual === 'OMIT' ? 'Omit' : 'None'])
    return { name, type, usual, isPositional: true, slot: '' }
  })
}
