import { pointerOf, segmentsOf } from '../runtime/shared/pointer.js'
import { convertedFrom, type Document } from './document.js'
import { DocumentError, type Finding } from './finding.js'
import { isObject } from './json.js'

/**
 * A Swagger 2.0 document as OpenAPI 3.0, with the places of what was written; any other document as it is. The converter is
 * an optional peer dependency. Rejects with DocumentError where it is not installed.
 */
export async function convertSwagger(
  document: Document,
  report: (finding: Finding) => void,
): Promise<Document> {
  const { value } = document
  if (!isObject(value) || !/^2\.0(\.|$)/.test(String(value.swagger))) return document
  const location = document.locate('/swagger')
  const converter = await import('@scalar/openapi-upgrader/2.0-to-3.0').catch((cause: unknown) => {
    const message =
      'Swagger 2.0 is read through @scalar/openapi-upgrader, which is not installed: npm install --save-dev @scalar/openapi-upgrader'
    const finding: Finding = {
      rule: 'document-version-is-unknown',
      level: 'error',
      location,
      message,
    }
    throw new DocumentError(finding, { cause })
  })
  report({
    rule: 'document-is-converted',
    level: 'note',
    location,
    message:
      'the document is Swagger 2.0: it is read as OpenAPI 3.0, converted by @scalar/openapi-upgrader',
  })
  // The converter writes into what it is given.
  const converted: unknown = converter.upgradeFromTwoToThree(structuredClone(value))
  return convertedFrom(document, converted, swaggerPointer)
}

/** Where Swagger 2.0 writes what OpenAPI 3.0 has at a pointer. A place that does not exist has its nearest ancestor's. */
function swaggerPointer(pointer: string): string {
  const [first = '', second = '', ...rest] = segmentsOf(pointer)
  if (first === 'openapi') return '/swagger'
  if (first === 'servers') return '/host'
  if (first === 'components') return pointerOf(...(SECTIONS[second] ?? []), ...inSwagger(rest))
  return first === '' ? pointer : pointerOf(first, ...inSwagger([second, ...rest]))
}

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  schemas: ['definitions'],
  parameters: ['parameters'],
  requestBodies: ['parameters'],
  responses: ['responses'],
  securitySchemes: ['securityDefinitions'],
}

/** Without `content` and its media type, which Swagger 2.0 names apart. */
function inSwagger(segments: readonly string[]): readonly string[] {
  const body = segments.indexOf('requestBody')
  if (body >= 0) return [...segments.slice(0, body), 'parameters']
  const content = segments.indexOf('content')
  const schema = segments[content + 2] === 'schema'
  return content >= 0 && schema
    ? [...segments.slice(0, content), ...segments.slice(content + 2)]
    : segments.filter((segment) => segment !== '')
}
