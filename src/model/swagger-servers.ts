import type { WarnAt } from './finding.js'

/**
 * Corrects `host`, `basePath` and `schemes` of a Swagger 2.0 document whose meaning is clear: the converter joins them as written.
 * A value of a wrong type is left as it is.
 */
export function readServer(swagger: Record<string, unknown>, warn: WarnAt): void {
  readSchemes(swagger, warn)
  readBasePath(swagger, warn)
  readHost(swagger, warn)
}

function readSchemes(swagger: Record<string, unknown>, warn: WarnAt): void {
  const { schemes } = swagger
  const written: unknown = typeof schemes === 'string' ? schemes.split(/[\s,]+/) : schemes
  if (!Array.isArray(written)) return
  const meant = written.map((one: unknown) =>
    typeof one === 'string' ? one.toLowerCase().replace(/:(\/\/)?$/, '') : one,
  )
  const known = meant.filter((one) => one !== '')
  swagger.schemes = known
  if (JSON.stringify(known) === JSON.stringify(schemes)) return
  const why = typeof schemes === 'string' ? 'a list' : 'names, such as https'
  const message = `schemes must be ${why}, not ${JSON.stringify(schemes)}: it is read as ${listed(known)}; write that`
  warn('field-has-wrong-type', '/schemes', message)
}

function readBasePath(swagger: Record<string, unknown>, warn: WarnAt): void {
  const { basePath } = swagger
  if (typeof basePath !== 'string' || basePath === '') return
  const url = basePath.includes('://') ? partsOf(basePath) : undefined
  const path = `/${(url?.path ?? basePath.trim()).replace(/^\/+/, '')}`
  swagger.basePath = path
  if (path === basePath) return
  const moved = url ? moveUp(swagger, url.scheme, url.host) : []
  const written = [`basePath: ${path}`, ...moved].join(', ')
  const message = `basePath must be a path that begins with one slash, not ${basePath}: it is read as ${path}; write ${written}`
  warn('field-has-wrong-type', '/basePath', message)
}

function readHost(swagger: Record<string, unknown>, warn: WarnAt): void {
  const { host: all } = swagger
  if (typeof all !== 'string') return
  const { scheme, host, path } = partsOf(all)
  swagger.host = host
  if (host === all) return
  const moved = host === '' ? [] : [`host: ${host}`, ...moveUp(swagger, scheme, host)]
  const { basePath = '' } = swagger
  const isPath = path !== '' && typeof basePath === 'string'
  if (isPath) swagger.basePath = `${path}${basePath}`
  const written = [...moved, ...(isPath ? [`basePath: ${swagger.basePath}`] : [])].join(', ')
  const message = `host must be a host without a scheme and a path, not ${all}: it is read as ${host || 'no host'}; write ${written}`
  warn('field-has-wrong-type', '/host', message)
}

/** Uses the scheme and the host of a URL where the document has none of its own; returns what to write. */
function moveUp(
  swagger: Record<string, unknown>,
  scheme: string | undefined,
  host: string,
): readonly string[] {
  const { schemes, host: own } = swagger
  const hasSchemes = Array.isArray(schemes) && schemes.length > 0
  const hasHost = typeof own === 'string' && own !== ''
  if (!hasHost) swagger.host = host
  if (!hasSchemes && scheme !== undefined) swagger.schemes = [scheme]
  return [
    ...(hasHost ? [] : [`host: ${host}`]),
    ...(hasSchemes || scheme === undefined ? [] : [`schemes: [${scheme}]`]),
  ]
}

/** The parts of a URL whose scheme may be missing; the path has no slash at its end. */
function partsOf(written: string) {
  const [, scheme, host = '', path = ''] =
    /^(?:(?:([a-z][a-z\d+.-]*):)?\/\/)?([^/?#]*)([^?#]*)/i.exec(written.trim()) ?? []
  return { scheme: scheme?.toLowerCase(), host, path: path.replace(/\/+$/, '') }
}

const listed = (names: readonly unknown[]): string => `[${names.join(', ')}]`
