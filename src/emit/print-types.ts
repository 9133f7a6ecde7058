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
 */
export function printTypes(document: OpenAPI3): string {
  return astToString(transformSchema(document, contextOf(document)))
}

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
