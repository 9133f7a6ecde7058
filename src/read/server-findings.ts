import type { Finding } from '../model/finding.js'
import { servers } from './document-info.js'
import type { ReadContext } from './reading.js'
import { namelessIn } from './structure-rules.js'

/**
 * Findings for the servers of a document: those that a client cannot choose, because an earlier one has the same name, and a variable
 * without a name.
 */
export function* serverFindings({ document, source }: ReadContext): Generator<Finding> {
  const seen = new Set<string>()
  for (const [index, { name, url }] of servers(document.value.servers).entries()) {
    const place = source(document.value, 'servers', index)
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
