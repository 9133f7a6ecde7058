import {
  astToString,
  type GlobalContext,
  type OpenAPI3,
  resolveRef,
  scanDiscriminators,
  transformSchema,
} from 'openapi-typescript'
import { wordsSaid } from '../model/json.js'

/**
 * What openapi-typescript prints of a document. Its own front door has @redocly/openapi-core resolve, lint and bundle
 * the document first, which takes three times as long as the printing and follows references by recursion; what stands
 * here is made by us, refers only into itself, and needs neither. `document` may be written into.
 *
 * It is handed some paths and some schemas at a time, and what it prints of them stands behind each other in what is
 * returned: the syntax tree of a text takes twenty times the memory of it, and for each operation the list of all before
 * is copied.
 */
export function printTypes(document: OpenAPI3): readonly string[] {
  const context = contextOf(document)
  const operations: string[] = []
  const below = new Set<string>()
  /** The text of one of the roots; those of the types below are kept. */
  const print = (root: number, part: Pick<OpenAPI3, 'paths' | 'components'>): string => {
    const injectFooter: GlobalContext['injectFooter'] = []
    const statements = transformSchema({ ...document, ...part }, { ...context, injectFooter })
    for (const text of statements.slice(ROOTS).map((one) => astToString(one))) {
      const isList = text.startsWith(OPERATIONS)
      if (isList) operations.push(between(text, OPERATIONS, '}\n'))
      if (isList || text !== NO_OPERATIONS) below.add(isList ? OPERATIONS : text)
    }
    return astToString(statements[root] ?? [])
  }

  const ofPaths = slices(document.paths).map((paths) =>
    between(print(0, { paths, components: {} }), PATHS, '}\n'),
  )
  const { schemas, ...others } = document.components ?? {}
  const bare = { paths: {}, ...(document.components && { components: others }) }
  const [noPaths = '', webhooks = '', noSchemas = '', definitions = ''] = [0, 1, 2, 3].map((root) =>
    print(root, bare),
  )
  const ofSchemas = slices(schemas).map((some) =>
    between(print(2, { paths: {}, components: { schemas: some } }), SCHEMAS, NO_OTHERS),
  )
  if (!below.has(OPERATIONS)) below.add(NO_OPERATIONS)
  return [
    ...(ofPaths.length === 0 ? [noPaths] : [PATHS, ...ofPaths, '}\n']),
    webhooks,
    ...(ofSchemas.length === 0
      ? [noSchemas]
      : [SCHEMAS, ...ofSchemas, END, noSchemas.slice(NO_SCHEMAS.length)]),
    definitions,
    ...[...below].flatMap((text) => (text === OPERATIONS ? [text, ...operations, '}\n'] : [text])),
  ]
}

/** What is printed of a document before anything that its parts call for: paths, webhooks, components, `$defs`. */
const ROOTS = 4

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

/** A field with a default may still be left out by a caller, and any object is no object without keys. */
const contextOf = (document: OpenAPI3) =>
  ({
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    defaultNonNullable: false,
    // The search goes through the whole document twice, and no discriminator comes out of `type-view.ts`.
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
    resolve: <T>($ref: string) => resolveRef<T>(document, $ref, { silent: true }),
  }) satisfies Omit<GlobalContext, 'redoc'> as unknown as GlobalContext
