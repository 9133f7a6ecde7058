import { serverObjects, servers } from './document-info.js'
import type { Finding } from './finding.js'
import { type Reading, text } from './reading.js'
import { namelessIn } from './structure-rules.js'

/**
 * Findings for the servers of a document: those that a client cannot choose, because an earlier one has the same name,
 * a URL without a scheme, and a variable without a name.
 */
export function* serverFindings({ document, source }: Reading): Generator<Finding> {
  const seen = new Set<string>()
  const written = serverObjects(document.value.servers)
  for (const [index, { name, url }] of servers(document.value.servers).entries()) {
    const place = source(document.value, 'servers', index)
    if (url.includes('://') && !text(written[index]?.url)?.includes('://')) {
      yield {
        rule: 'server-url-has-no-scheme',
        level: 'warning',
        location: place.locate('url'),
        message: `the URL of the server has no scheme, so other tools read it as a path: Twinspec reads it as ${url}; write the scheme`,
      }
    }
    // For an OpenAPI document, the structure check reports it, for every list of servers.
    if (url.includes('{}') && 'openrpc' in document.value) {
      yield {
        rule: 'variable-has-no-name',
        level: 'warning',
        location: place.locate('url'),
        message: namelessIn('url'),
      }
    }
    if (seen.has(name)) {
      yield {
        rule: 'server-name-is-duplicate',
        level: 'warning',
        location: place.locate(),
        message: `another server has the same name, ${name}, so clients cannot choose this one: rename it`,
      }
    }
    seen.add(name)
  }
}
