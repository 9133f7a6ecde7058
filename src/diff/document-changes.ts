import type { HttpDocument, RpcDocument } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { change } from './change.js'
import { limitChanges } from './promise-changes.js'
import { flowChanges, schemeNameChanges } from './security-schemes.js'
import { serverChanges } from './server-changes.js'
import { asObject } from './written.js'

/** What a document says beside its operations, as far as both versions have it. */
export function* documentChanges(
  before: HttpDocument | RpcDocument | undefined,
  after: HttpDocument | RpcDocument | undefined,
): Generator<Finding> {
  if (!before && after) {
    const location = after.source.locate()
    const kind = after.kind === 'http' ? 'OpenAPI' : 'OpenRPC'
    const message = `the old version has no ${kind} document, so all of ${after.title} ${after.version} is new`
    yield change('document-is-new', { before: undefined, after: location }, message)
  }
  if (!before || !after) return
  const owner = after.kind === 'http' ? 'the HTTP service' : 'the JSON-RPC service'
  yield* serverChanges(owner, before, after)
  yield* limitChanges(owner, before, after)
  yield* schemeNameChanges(before, after)
  yield* flowChanges(before, after)
  const [was, is] = [schemasOf(before), schemasOf(after)]
  for (const name of Object.keys(was)) {
    if (Object.hasOwn(is, name)) continue
    const places = {
      before: before.source.locate('components', 'schemas', name),
      after: after.source.locate('components', 'schemas', name),
    }
    const message = `the schema \`${name}\` is removed: generated types lose that name`
    yield change('schema-removed', places, message)
  }
}

const schemasOf = ({ bundled }: HttpDocument | RpcDocument) =>
  asObject(asObject(bundled.components).schemas)
