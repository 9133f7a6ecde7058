import type { Dialect } from './api.js'
import type { Document } from './document.js'
import { DocumentError, type Finding } from './finding.js'
import { isObject } from './json.js'

/**
 * The dialect of a document's schemas. Throws DocumentError for a version that is not supported; a version that is read as
 * another one is given to `tell`.
 */
export function assertVersion(
  document: Document,
  kind: 'openapi' | 'openrpc',
  tell: (finding: Finding) => void,
): Dialect {
  const value = isObject(document.value) ? document.value : {}
  const version = value[kind]
  const read = kind === 'openapi' ? /^3\.([01])\.\d+/ : /^1\.[0-4]\.\d+/
  const minor = typeof version === 'string' ? read.exec(version) : undefined
  if (minor && kind === 'openrpc') {
    if (!/^1\.[2-4]\.\d+$/.test(String(version))) tell(readAsLater(document, String(version)))
    return 'draft-07'
  }
  if (minor) return minor[1] === '0' ? 'openapi-3.0' : dialectOf(value.jsonSchemaDialect)
  const title = kind === 'openapi' ? 'OpenAPI' : 'OpenRPC'
  const others = ['openapi', 'openrpc', 'swagger', 'arazzo', 'asyncapi'].filter(
    (key) => key in value,
  )
  const found =
    version !== undefined
      ? `its version is ${JSON.stringify(version)}${typeof version === 'number' ? ', a number: put it in quotes' : ''}`
      : others.length > 0
        ? `it says ${others.map((key) => `${key}: ${JSON.stringify(value[key])}`).join(', ')}`
        : `it has no ${kind} field`
  const other = kind === 'openapi' ? 'openrpc' : 'openapi'
  const hint =
    version !== undefined
      ? typeof version === 'number'
        ? ''
        : ': convert it to one of these'
      : other in value
        ? ` (name it with --${other})`
        : 'swagger' in value
          ? ' (convert it to OpenAPI 3 first)'
          : ''
  throw new DocumentError({
    rule: 'document-version-is-unknown',
    level: 'error',
    location: document.locate(version === undefined ? '' : `/${kind}`),
    message: `this is no ${title} document that can be read: ${found}; ${kind === 'openapi' ? '3.0 and 3.1 are read' : '1.0 to 1.4 are read'}${hint}`,
  })
}

const readAsLater = (document: Document, version: string): Finding => ({
  rule: 'document-version-is-read-as-later',
  level: 'note',
  location: document.locate('/openrpc'),
  message: `the document says OpenRPC ${version}: it is read as 1.2, the oldest version whose rules are known; write openrpc: 1.2.6 if the document follows it`,
})

/** OpenAPI 3.1, Schema Object: 2020-12, unless the document names another dialect. */
const dialectOf = (uri: unknown): Dialect =>
  typeof uri === 'string' && /draft-0?[67]\b/.test(uri) ? 'draft-07' : '2020-12'
