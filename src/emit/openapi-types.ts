import {
  addJSDocComment,
  type GlobalContext,
  NEVER,
  oapiRef,
  type PathsObject,
  STRING,
  transformPathsObject,
  transformSchemaObject,
  tsModifiers,
  tsPropertyIndex,
  tsRecord,
} from 'openapi-typescript'
import ts from 'typescript'
import type { Api, NamedSchema, Operation } from '../model/api.js'
import { outgoingOperation } from '../model/outgoing.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { isSuccessKey } from '../runtime/wire/status.js'
import { type DirectionMark, hasDirectionMark } from '../schema/direction-marks.js'
import { grouped } from '../schema/grouped.js'
import { referredName, refTo, type Schema, type SchemaObject } from '../schema/schema.js'
import { keyText, stringLiteral } from '../text/escape.js'
import { isIdentifier } from '../text/names.js'
import { operationNames } from './operation-names.js'
import { printNode } from './print-node.js'
import { projectHttp } from './projection.js'
import { tupleParts } from './type-expression.js'
import { isDeprecated, type TypeOption } from './type-options.js'
import { type Mark, typeView, type ViewTerms, withViews } from './type-view.js'

/** A member of `components.schemas` or of `operations`. */
export type PrintedType = {
  readonly name: string
  /** The schemas that it refers to. */
  readonly uses: ReadonlySet<string>
  /** Its declaration, if it has its own name. */
  readonly declaration: string
  /** Its line in the list: the whole type, or its name. */
  readonly listed: string
  /** By what other types of the file call it: its own name, or its place in the list. */
  readonly reference: string
  /** The declaration of the result of an operation, if it is declared apart. */
  readonly result?: string
}

export type PrintedTypesOptions = {
  /** The other names in the file. If undefined, no schema or operation gets its own type. */
  readonly used?: ReadonlySet<string>
  /** Under what name the file of a type, an operation's or a schema's, has the `components` of a schema. */
  readonly componentsFor?: (type: string, schema: string) => string
  /** What users of openapi-typescript choose. */
  readonly chosen?: ReadonlySet<TypeOption>
}

/**
 * Prints the types of HTTP operations and schemas with openapi-typescript. Its public entry resolves, lints and
 * bundles the document first, which takes three times as long as printing; these schemas refer only to each other.
 * They are printed one by one, because a syntax tree takes twenty times the memory of its text.
 */
export function printHttpTypes(
  api: Api,
  shape: TypesShape = 'openapi-typescript',
  options: PrintedTypesOptions = {},
) {
  const printed = printSchemas(api, 'http', options)
  const schemas = shape === 'client' ? printed : withWrittenKeys(printed, api)
  const placeOf = shape === 'openapi-typescript' ? undefined : resultPlace
  return { ...printOperations(api, shape, options, placeOf), schemas }
}

/** Schemas whose key is no identifier are in the list under that key too, as openapi-typescript prints them. */
const withWrittenKeys = (
  schemas: readonly PrintedType[],
  api: Pick<Api, 'schemas'>,
): readonly PrintedType[] => {
  const used = new Set<string>(api.schemas.keys())
  return schemas.map((one) => {
    const key = api.schemas.get(one.name)?.key
    if (key === undefined || used.has(key)) return one
    used.add(key)
    return { ...one, listed: `${one.listed}    ${keyText(key)}: ${one.reference}\n` }
  })
}

/** Prints the types of operations without the schemas. The result at `placeOf` is declared apart. */
export function printOperations(
  api: Api,
  shape: TypesShape,
  options: PrintedTypesOptions = {},
  placeOf: typeof resultPlace = () => undefined,
) {
  const names = operationNames(api)
  const byId = new Map(api.operations.map((one) => [one.id, one]))
  const operations: PrintedType[] = []
  const paths = projectHttp(api).paths as Readonly<Record<string, PathItem>>
  const lines = inOrder(Object.entries(paths), options).map(([path, item]) => {
    const usesOf = new Map<unknown, ReadonlySet<string>>()
    const results = new Map<unknown, string>()
    const views = inOrder(Object.entries(item), options).map(([method, operation]) => {
      const uses = new Set<string>()
      const [terms, request, response] = termsOf(String(operation.operationId), api, options, uses)
      usesOf.set(operation.operationId, uses)
      const called = byId.get(String(operation.operationId))
      const place = placeOf(called)
      const view = withViews(operation, terms, { requestBody: request, responses: response })
      if (called === undefined || place === undefined) return [method, view]
      const name = names(called).result
      results.set(called.id, `${printSchema(name, place.schema, response, options)}\n`)
      return [method, withResult(view as ResponsesView, place, { $ref: `#/${name}` })]
    })
    const context = contextOf(options)
    const members = pathMembers(path, Object.fromEntries(views) as PathItem, context)
    for (const list of context.injectFooter) {
      if (!ts.isInterfaceDeclaration(list))
        throw new TypeError(`unexpected type ${printNode(list)}`)
      for (const member of list.members) operations.push(printOperation(member))
    }
    return shape === 'client' ? '' : members.map((member) => printNode(member, 1)).join('')

    function printOperation(member: ts.TypeElement): PrintedType {
      const { name: key, type } = member as ts.PropertySignature
      const name = (key as ts.Identifier | ts.StringLiteral).text
      const uses = usesOf.get(name) ?? new Set()
      const operation = byId.get(name)
      const printed = (shape === 'client' ? withoutEmpty(type) : type) as ts.TypeNode
      const reference = `operations[${stringLiteral(name)}]`
      const apart = results.get(name)
      const result = apart === undefined ? {} : { result: apart.trim() }
      if (options.used === undefined || operation === undefined)
        return {
          name,
          uses,
          declaration: '',
          listed: printNode(property(name, printed), 1),
          reference,
          ...result,
        }
      const own = names(operation).operation
      const declaration = printNode(declarationOf(own, printed))
      return { name, uses, declaration, listed: `  ${name}: ${own}\n`, reference: own, ...result }
    }
  })
  const named = operations.map((one): [string, PrintedType] => [one.name, one])
  return { paths: lines, operations: inOrder(named, options).map(([, one]) => one) }
}

/** In the order of the document, or of the alphabet. */
const inOrder = <Value>(
  entries: readonly (readonly [string, Value])[],
  { chosen }: PrintedTypesOptions,
): readonly (readonly [string, Value])[] =>
  chosen?.has('alphabetize') ? [...entries].sort(([a], [b]) => (a < b ? -1 : 1)) : entries

/** Prints the members of `webhooks`. Their operations have no ids that clients could call, so they are in place. */
export function printWebhooks(api: Api, options: PrintedTypesOptions = {}): readonly string[] {
  const webhooks = api.outgoing.filter(({ kind }) => kind === 'webhook')
  const { paths } = projectHttp({ ...api, operations: webhooks.map(outgoingOperation) })
  const projected = paths as Readonly<Record<string, PathItem>>
  return [...grouped(webhooks, ({ name }) => name)].map(([name, requests]) => {
    const operations = requests.flatMap(({ id }) => Object.entries(projected[`/${id}`] ?? {}))
    // What the service sends is a response.
    const [terms, responses, requestBody] = termsOf('', api, options, new Set())
    const item = operations.map(([method, { operationId: _, ...operation }]) => [
      method,
      withViews(operation, terms, { requestBody, responses }),
    ])
    const members = pathMembers(name, Object.fromEntries(item), contextOf(options))
    return members.map((member) => printNode(member, 1)).join('')
  })
}

/**
 * What `http.types.ts` contains: what the client needs; all that openapi-typescript prints, too, for openapi-fetch; or without a
 * client, that alone.
 */
export type TypesShape = 'client' | 'openapi-fetch' | 'openapi-typescript'

/** Where the only result of an operation is declared: JSON of an object that has no name of its own. */
function resultPlace(operation: Operation | undefined): ResultPlace | undefined {
  if (operation?.kind !== 'http' || operation.variants.length > 0) return undefined
  const [success, another] = operation.responses.filter(({ status }) => isSuccessKey(status))
  const [media, alternative] = success?.content ?? []
  const schema = media?.schema
  const isOnly = another === undefined && alternative === undefined && media?.codec === 'json'
  if (!success || !isOnly || media.stream !== undefined) return undefined
  const isUnnamed =
    typeof schema === 'object' &&
    referredName(schema) === undefined &&
    ['properties', 'allOf', 'anyOf', 'oneOf'].some((key) => key in schema)
  return isUnnamed ? { status: success.status, type: media.type, schema } : undefined
}

type ResultPlace = { readonly status: string; readonly type: string; readonly schema: Schema }

type ResponsesView = {
  readonly responses: Readonly<Record<string, { readonly content: JsonObject }>>
}

/** The view of an operation with a reference in place of its result. */
const withResult = (view: ResponsesView, { status, type }: ResultPlace, schema: object) => ({
  ...view,
  responses: {
    ...view.responses,
    [status]: { ...view.responses[status], content: { [type]: { schema } } },
  },
})

/** The type of an operation without places that have no parameters, and without the headers of responses, which no code has types for. */
function withoutEmpty(type: ts.TypeNode | undefined): ts.TypeNode | undefined {
  const parts = membersOf(type).flatMap((member) => {
    const name = nameOf(member)
    if (name === 'responses') {
      // Of an operation without responses it is `never`.
      if (member.type === undefined || !ts.isTypeLiteralNode(member.type)) return [member]
      const responses = membersOf(member.type).map((response) =>
        withType(
          response,
          membersOf(response.type).filter((part) => nameOf(part) !== 'headers'),
        ),
      )
      return [withType(member, responses)]
    }
    if (member.type?.kind === ts.SyntaxKind.NeverKeyword) return []
    if (name !== 'parameters') return [member]
    const places = membersOf(member.type).filter(
      (place) => place.type?.kind !== ts.SyntaxKind.NeverKeyword,
    )
    return places.length === 0 ? [] : [withType(member, places)]
  })
  return ts.factory.createTypeLiteralNode(parts)
}

/** A property with other members. Its comment stays. */
const withType = (member: ts.PropertySignature, members: readonly ts.TypeElement[]) => {
  const { modifiers, name, questionToken } = member
  const changed = ts.factory.createPropertySignature(
    modifiers,
    name,
    questionToken,
    ts.factory.createTypeLiteralNode(members),
  )
  return ts.setSyntheticLeadingComments(changed, ts.getSyntheticLeadingComments(member))
}

/** Operations by the fields of a path item. */
type PathItem = Readonly<Record<string, JsonObject>>

/** openapi-typescript supports the methods of OpenAPI 3.1. An operation of another method is printed as a POST and renamed. */
function pathMembers(path: string, item: PathItem, context: GlobalContext) {
  const printed = (operations: PathItem) => {
    const paths = { [path]: operations } as PathsObject
    return (transformPathsObject(paths, context) as ts.TypeLiteralNode).members
  }
  const isPrinted = ([field]: readonly [string, unknown]) => PRINTED_METHODS.has(field)
  const known = printed(Object.fromEntries(Object.entries(item).filter(isPrinted)))
  const others = Object.entries(item).filter((entry) => !isPrinted(entry))
  if (others.length === 0) return known
  const renamed = others.flatMap(([field, post]) =>
    itemMembers(printed({ post })[0]).flatMap((member) =>
      nameOf(member) === 'post' ? [property(field, member.type)] : [],
    ),
  )
  return known.map((member) =>
    property(path, ts.factory.createTypeLiteralNode([...itemMembers(member), ...renamed])),
  )
}

const property = (name: string, type: ts.TypeNode | undefined) =>
  ts.factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, type)

const PRINTED_METHODS: ReadonlySet<string> = new Set(
  'get put post delete options head patch trace'.split(' '),
)

const itemMembers = (path: ts.TypeElement | undefined): readonly ts.PropertySignature[] =>
  membersOf((path as ts.PropertySignature | undefined)?.type)

const membersOf = (type: ts.TypeNode | undefined): readonly ts.PropertySignature[] =>
  (type as ts.TypeLiteralNode | undefined)?.members.map(
    (member) => member as ts.PropertySignature,
  ) ?? []

const nameOf = ({ name }: ts.PropertySignature): string => (name as ts.Identifier).text

export function printSchemas(
  api: Api,
  kind: Operation['kind'],
  options: PrintedTypesOptions,
): readonly PrintedType[] {
  const isOfKind = ({ usedBy }: NamedSchema) => usedBy === kind || usedBy === 'both'
  return [...api.schemas.values()].filter(isOfKind).map(({ name, schema, omits }): PrintedType => {
    const uses = new Set<string>()
    const isNamed = mayBeNamed(name, options)
    const [both, request, response] = termsOf(name, api, options, uses)
    const terms = omits === undefined ? both : omits === 'readOnly' ? request : response
    const node = isNamed
      ? schemaNode(name, schema, terms, options, declarationOf)
      : schemaNode(name, schema, terms, options, property)
    const reference = schemaType(name, name, options)
    if (!isNamed) return { name, uses, declaration: '', listed: printNode(node, 2), reference }
    const declaration = printNode(node)
    return { name, uses, declaration, listed: `    ${name}: ${name}\n`, reference }
  })
}

/** A named schema as a declaration. */
const printSchema = (
  name: string,
  schema: Schema,
  terms: ViewTerms,
  options: PrintedTypesOptions,
): string => printNode(schemaNode(name, schema, terms, options, declarationOf))

function schemaNode<Node extends ts.Node>(
  name: string,
  schema: Schema,
  terms: ViewTerms,
  options: PrintedTypesOptions,
  declare: (name: string, type: ts.TypeNode) => Node,
): Node {
  const view = typeView(schema, terms, name) as SchemaView
  const ctx = contextOf(options)
  const type = transformSchemaObject(view, { path: refTo(name), schema: view, ctx })
  const node = declare(name, type)
  addJSDocComment(view, node as ts.Node as ts.PropertySignature)
  return node
}

/** The names that a file of types always declares or uses. */
export const IN_ALL: ReadonlySet<string> = new Set(['Blob', 'Record', 'components'])

export const declarationsOf = (types: readonly PrintedType[]): string =>
  types.map(({ declaration }) => declaration).join('\n')

export const printedProperties = (types: readonly PrintedType[]): string =>
  types.length === 0 ? 'never' : `{\n${types.map(({ listed }) => listed).join('')}  }`

/** Of the other sections of openapi-typescript, a bundled document has nothing. */
export const componentsOf = (schemas: string, shape: TypesShape): string => {
  const others = ['responses', 'parameters', 'requestBodies', 'headers', 'pathItems']
  const rows = shape === 'client' ? [] : others.map((name) => `  ${name}: never\n`)
  return `export interface components {\n  schemas: ${schemas}\n${rows.join('')}}\n`
}

type SchemaView = Parameters<typeof transformSchemaObject>[0] & object

const declarationOf = (name: string, type: ts.TypeNode) =>
  ts.factory.createTypeAliasDeclaration(tsModifiers({ export: true }), name, undefined, type)

/** The terms of types that both directions share, of those of requests, and of those of responses. */
const termsOf = (
  type: string,
  { schemas }: Api,
  options: PrintedTypesOptions,
  uses: Set<string>,
): readonly [both: ViewTerms, request: ViewTerms, response: ViewTerms] => {
  /** A reference to a schema by its own name, or through the list. */
  const refer = (name: string) => {
    uses.add(name)
    if (mayBeNamed(name, options)) return `#/${name}`
    return refTo(name).replace('components', spaceOf(type, name, options))
  }
  const { chosen = NONE } = options
  const isExcluded = (property: Schema) =>
    chosen.has('exclude-deprecated') && isDeprecated(property, schemas)
  const isFilled = (property: Schema) =>
    typeof property === 'object' && property.default !== undefined
  const filled = chosen.has('default-non-nullable') ? { isPresent: isFilled } : {}
  const without = (mark: DirectionMark): ViewTerms => ({
    refer,
    schemas,
    isOmitted: (property) => isExcluded(property) || hasDirectionMark(property, schemas, mark),
  })
  return [
    { refer, schemas, isOmitted: isExcluded, ...filled },
    without('readOnly'),
    { ...without('writeOnly'), ...filled },
  ]
}

const NONE: ReadonlySet<TypeOption> = new Set()

/** The type of a named schema, in the file of a type. */
export const schemaType = (type: string, name: string, options: PrintedTypesOptions): string =>
  mayBeNamed(name, options)
    ? name
    : `${spaceOf(type, name, options)}['schemas'][${stringLiteral(name)}]`

const spaceOf = (type: string, schema: string, { componentsFor }: PrintedTypesOptions): string =>
  componentsFor?.(type, schema) ?? 'components'

/** Whether a schema has a type of its own name. */
export const mayBeNamed = (name: string, { used }: PrintedTypesOptions): boolean =>
  used !== undefined && isIdentifier(name) && !used.has(name)

/** The types that openapi-typescript does not print, by the mark of the view. */
const MARKED: Readonly<Record<Mark, ts.TypeNode>> = {
  'x-binary': oapiRef('#/Blob'),
  'x-bigint': ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword),
  'x-date-object': ts.factory.createTypeReferenceNode('globalThis.Date'),
  'x-empty': tsRecord(STRING, NEVER),
  'x-without-members': tsRecord(NEVER, NEVER),
  'x-hex': ts.factory.createTemplateLiteralType(ts.factory.createTemplateHead('0x'), [
    ts.factory.createTemplateLiteralTypeSpan(
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      ts.factory.createTemplateTail(''),
    ),
  ]),
}

/** An object without declared keys may have any. Properties with a default are those of the view. */
const contextOf = ({ chosen = NONE }: PrintedTypesOptions) =>
  ({
    additionalProperties: chosen.has('additional-properties'),
    alphabetize: chosen.has('alphabetize'),
    arrayLength: chosen.has('array-length'),
    defaultNonNullable: false,
    discriminators: { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    immutable: chosen.has('immutable'),
    pathParamsAsTypes: chosen.has('path-params-as-types'),
    propertiesRequiredByDefault: chosen.has('properties-required-by-default'),
    injectFooter: [],
    silent: true,
    transform: (schema: Schema, options: TransformOptions) => {
      if (typeof schema !== 'object') return undefined
      if (schema.type === 'array' && !('const' in schema)) return listType(schema, options)
      return Object.entries(MARKED).find(([mark]) => mark in schema)?.[1]
    },
    resolve: () => undefined,
  }) as Partial<GlobalContext> as GlobalContext

type TransformOptions = Parameters<typeof transformSchemaObject>[1]

/** openapi-typescript prints every member of a tuple as required, and omits the items after them. */
function listType(schema: SchemaObject, options: TransformOptions): ts.TypeNode {
  const { members, rest } = tupleParts(schema)
  const typeOf = (item: Schema) => transformSchemaObject(item as SchemaView, options)
  const { arrayLength, immutable } = options.ctx
  const readonly = (type: ts.ArrayTypeNode | ts.TupleTypeNode): ts.TypeNode =>
    immutable ? ts.factory.createTypeOperatorNode(ts.SyntaxKind.ReadonlyKeyword, type) : type
  const item = typeOf(rest)
  if (!members) {
    const lengths = arrayLength ? lengthsOf(schema) : undefined
    if (lengths === undefined) return readonly(ts.factory.createArrayTypeNode(item))
    const tuples = lengths.map(({ count, isOpen }) =>
      readonly(
        ts.factory.createTupleTypeNode([
          ...Array<ts.TypeNode>(count).fill(item),
          ...(isOpen ? [restOf(item)] : []),
        ]),
      ),
    )
    const [only] = tuples
    return tuples.length === 1 && only ? only : ts.factory.createUnionTypeNode(tuples)
  }
  const types = members.map(({ item, isOptional }) =>
    isOptional ? ts.factory.createOptionalTypeNode(typeOf(item)) : typeOf(item),
  )
  return readonly(ts.factory.createTupleTypeNode(rest === false ? types : [...types, restOf(item)]))
}

const restOf = (item: ts.TypeNode) =>
  ts.factory.createRestTypeNode(ts.factory.createArrayTypeNode(item))

/** The lengths of a list as tuples; undefined if its bounds are no few items, which the compiler would be slow with. */
function lengthsOf({ minItems = 0, maxItems }: SchemaObject): readonly TupleLength[] | undefined {
  const most = maxItems ?? minItems
  const members = ((most + 1) * most - (minItems - 1) * minItems) / 2
  if ((minItems === 0 && maxItems === undefined) || most < minItems || members >= MOST_MEMBERS)
    return undefined
  return Array.from({ length: most - minItems + 1 }, (_, at) => ({
    count: minItems + at,
    isOpen: maxItems === undefined,
  }))
}

type TupleLength = { readonly count: number; readonly isOpen: boolean }

/** As openapi-typescript has it. */
const MOST_MEMBERS = 30
