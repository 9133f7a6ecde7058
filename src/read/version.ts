import type { Dialect } from '../model/api.js'
import { DocumentError, type Finding } from '../model/finding.js'
import { isObject } from '../model/json.js'
import type { Document } from './document.js'

/**
 * The dialect of a document's schemas. Throws DocumentError for an unsupported version; `report` receives a
 * version that is read as another one.
 */
export function assertVersion(
  document: Document,
  kind: 'openapi' | 'openrpc',
  report: (finding: Finding) => void,
): Dialect {
  const value = isObject(document.value) ? document.value : {}
  const version = value[kind]
  const { title, major, last, known } = READ[kind]
  const isVersion = typeof version === 'string' || typeof version === 'number'
  const [, prefix, found, written, patch] =
    (isVersion && /^(v?)(\d+)(?:\.(\d+))?(?=\.|$)(\.\d)?/i.exec(String(version).trim())) || []
  if (found !== major) throw unknownVersion(document, kind)
  const minor = written ?? '0'
  if (patch === undefined || prefix !== '' || typeof version === 'number')
    report({
      rule: 'document-version-is-incomplete',
      level: 'warning',
      location: document.locate(`/${kind}`),
      message: `the version is ${JSON.stringify(version)}, and ${title} versions are strings with three numbers: it is read as ${major}.${minor}; write "${major}.${minor}${patch ?? '.0'}"`,
    })
  if (Number(minor) > last)
    report({
      rule: 'document-version-is-newer',
      level: 'warning',
      location: document.locate(`/${kind}`),
      message: `the document declares ${title} ${version}, which is later than ${known}: it is read as ${major}.${last}, and additions of later versions are ignored`,
    })
  if (kind === 'openrpc') {
    if (Number(minor) < 2 || /-/.test(String(version)))
      report(readAsLater(document, String(version)))
    return 'draft-07'
  }
  return minor === '0' ? 'openapi-3.0' : dialectOf(value.jsonSchemaDialect)
}

const READ = {
  openapi: { title: 'OpenAPI', major: '3', last: 2, known: '3.0 to 3.2' },
  openrpc: { title: 'OpenRPC', major: '1', last: 4, known: '1.0 to 1.4' },
} as const

function unknownVersion(document: Document, kind: 'openapi' | 'openrpc'): DocumentError {
  const value = isObject(document.value) ? document.value : {}
  const version = value[kind]
  const others = ['openapi', 'openrpc', 'swagger', 'arazzo', 'asyncapi', 'overlay'].filter(
    (key) => key in value,
  )
  const found =
    version !== undefined
      ? `its version is ${JSON.stringify(version)}`
      : others.length > 0
        ? `it has ${others.map((key) => `${key}: ${JSON.stringify(value[key])}`).join(', ')}`
        : `it has no ${kind} field${kind === 'openapi' ? ', and no openrpc field' : ''}`
  const other = kind === 'openapi' ? 'openrpc' : 'openapi'
  const hint =
    version !== undefined
      ? ': convert it to one of these'
      : other in value
        ? ` (name it with --${other})`
        : 'swagger' in value
          ? ' (convert it to OpenAPI 3 first)'
          : 'overlay' in value
            ? ' (name it with --overlay, and the document that it changes)'
            : ''
  const { title, known } = READ[kind]
  return new DocumentError({
    rule: 'document-version-is-unknown',
    level: 'error',
    location: document.locate(version === undefined ? '' : `/${kind}`),
    message: `this is not a supported ${title} document: ${found}; versions ${known} are supported${hint}`,
  })
}

const readAsLater = (document: Document, version: string): Finding => ({
  rule: 'document-version-is-read-as-later',
  level: 'note',
  location: document.locate('/openrpc'),
  message: `the document declares OpenRPC ${version}: it is read by the rules of 1.2 to 1.4${/^1\.[01]\./.test(version) ? ', but tags may be strings; params without paramStructure are accepted by position and by name' : ''}`,
})

/** OpenAPI 3.1, Schema Object: 2020-12, unless the document names another dialect. */
const dialectOf = (uri: unknown): Dialect =>
  typeof uri === 'string' && /draft-0?[67]\b/.test(uri) ? 'draft-07' : '2020-12'
