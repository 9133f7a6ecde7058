import {
  astToString,
  type GlobalContext,
  type OpenAPI3,
  resolveRef,
  scanDiscriminators,
  transformSchema,
} from 'openapi-typescript'
import { isObject, wordsSaid } from '../model/json.js'
import { refTo } from '../schema/schema.js'

/**
 * What openapi-typescript prints of a document. Its public entry has @redocly/openapi-core resolve, lint and bundle
 * the document first, which takes three times as long as the printing and follows references by recursion; what this
 * module prints is made by us, refers only into itself, and needs neither. `document` may be written into.
 *
 * It is handed some paths and some schemas at a time, and what it prints of them follows each other in what is
 * returned: the syntax tree of a text takes twenty times the memory of it, and for each operation the list of all before
 * is copied. `finish` changes each text that was printed; it leaves lines without a comment alone.
 */
export function printTypes(
  document: OpenAPI3,
  finish: (text: string) => string = (text) => text,
): PrintedTypes {
  const context = contextOf(document)
  const print = (root: number, part: Part): Printed => {
    const injectFooter: GlobalContext['injectFooter'] = []
    const statements = transformSchema({ ...document, ...part }, { ...context, injectFooter })
    const below = statements.slice(ROOTS).map((one) => finish(astToString(one)))
    return { text: finish(astToString(statements[root] ?? [])), below }
  }
  const paths = slices(document.paths).map((some) =>
    print(PATHS_ROOT, { paths: some, components: {} }),
  )
  const { schemas: all, ...others } = document.components ?? {}
  const bare = { paths: {}, ...(document.components && { components: others }) }
  const roots = Array.from({ length: ROOTS }, (_, root) => print(root, bare))
  const schemas = slices(all).map((some) =>
    print(COMPONENTS_ROOT, { paths: {}, components: { schemas: some } }),
  )

  const operations: string[] = []
  const below = new Set<string>()
  for (const text of [...paths, ...roots, ...schemas].flatMap((one) => one.below)) {
    const isList = text.startsWith(OPERATIONS)
    if (isList) operations.push(between(text, OPERATIONS, '}\n'))
    if (isList || text !== NO_OPERATIONS) below.add(isList ? OPERATIONS : text)
  }
  if (!below.has(OPERATIONS)) below.add(NO_OPERATIONS)
  const [noPaths = '', webhooks = '', noSchemas = '', definitions = ''] = roots.map(
    ({ text }) => text,
  )
  const components =
    schemas.length === 0
      ? [noSchemas]
      : [
          SCHEMAS,
          ...schemas.map(({ text }) => between(text, SCHEMAS, NO_OTHERS)),
          END,
          noSchemas.slice(NO_SCHEMAS.length),
        ]
  const isOfOperations = (text: string) => text === OPERATIONS || text === NO_OPERATIONS
  return {
    all: [
      ...(paths.length === 0
        ? [noPaths]
        : [PATHS, ...paths.map(({ text }) => between(text, PATHS, '}\n')), '}\n']),
      webhooks,
      ...components,
      definitions,
      ...[...below].flatMap((text) =>
        text === OPERATIONS ? [text, ...operations, '}\n'] : [text],
      ),
    ],
    components: [...components, ...[...below].filter((text) => !isOfOperations(text))],
  }
}

/** Texts that stand behind each other in a file. */
type PrintedTypes = {
  /** `paths`, `webhooks`, `components`, `$defs`, `operations`, and the types that these call for. */
  readonly all: readonly string[]
  /** `components` alone, with the types that it calls for. */
  readonly components: readonly string[]
}

type Part = Pick<OpenAPI3, 'paths' | 'components'>

type Printed = {
  /** Of the one root that was asked for. */
  readonly text: string
  /** The types that it calls for, and the operations. */
  readonly below: readonly string[]
}

/** What is printed of a document before anything that its parts call for: paths, webhooks, components, `$defs`. */
const ROOTS = 4
const PATHS_ROOT = 0
const COMPONENTS_ROOT = 2

const PATHS = 'export interface paths {\n'
const OPERATIONS = 'export interface operations {\n'
const NO_OPERATIONS = 'export type operations = Record<string, never>;\n'
const COMPONENTS = 'export interface components {\n'
const SCHEMAS = `${COMPONENTS}    schemas: {\n`
const NO_SCHEMAS = `${COMPONENTS}    schemas: never;\n`
const END = '    };\n'
const NO_OTHERS = `${END}    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
`

/** Throws where a text does not begin and end so: then another release prints otherwise. */
function between(text: string, head: string, tail: string): string {
  if (text.startsWith(head) && text.endsWith(tail)) return text.slice(head.length, -tail.length)
  throw new TypeError(`openapi-typescript printed ${text.slice(0, 60)}… where ${head} was expected`)
}

function slices<Member>(members: Readonly<Record<string, Member>> = {}): Record<string, Member>[] {
  const entries = Object.entries(members)
  const count = Math.ceil(entries.length / AT_A_TIME)
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(entries.slice(at * AT_A_TIME, (at + 1) * AT_A_TIME)),
  )
}

const AT_A_TIME = 20

/**
 * All that a reference to a schema needs of it: what its properties are called. So what is printed of a part of a
 * document follows from that part and these names.
 */
function propertiesOf(schema: unknown): object {
  const { properties } = isObject(schema) ? schema : {}
  if (!isObject(properties)) return {}
  return { properties: Object.fromEntries(Object.keys(properties).map((key) => [key, true])) }
}

/** A field with a default may still be left out by a caller, and any object is no object without keys. */
const contextOf = (document: OpenAPI3) =>
  ({
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    defaultNonNullable: false,
    // The search goes through the whole document twice, and `typeView` keeps no discriminator.
    discriminators:
      wordsSaid(document, ['discriminator']).size > 0
        ? scanDiscriminators(document, { silent: true })
        : { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    enum: false,
    enumValues: false,
    conditionalEnums: false,
    dedupeEnums: false,
    excludeDeprecated: false,
    exportType: false,
    immutable: false,
    injectFooter: [],
    pathParamsAsTypes: false,
    postTransform: undefined,
    propertiesRequiredByDefault: false,
    rootTypes: false,
    rootTypesNoSchemaPrefix: false,
    rootTypesKeepCasing: false,
    silent: true,
    transform: undefined,
    transformProperty: undefined,
    makePathsEnum: false,
    generatePathParams: false,
    readWriteMarkers: false,
    resolve: <T>($ref: string) => {
      const found = resolveRef<T>(document, $ref, { silent: true })
      return $ref.startsWith(refTo('')) ? (propertiesOf(found) as T | undefined) : found
    },
  }) satisfies Omit<GlobalContext, 'redoc'> as unknown as GlobalContext
