import type { HttpDocument, RpcDocument } from '../../model/api.js'
import type { Finding } from '../../model/finding.js'
import { change } from './change.js'
import { limitChanges } from './promise-changes.js'
import { schemeNameChanges } from './security-schemes.js'
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
    const message = `the version before has no ${kind} document, so that all of ${after.title} ${after.version} counts as new`
    yield change('document-is-new', { before: undefined, after: location }, message)
  }
  if (!before || !after) return
  const owner = after.kind === 'http' ? 'the HTTP service' : 'the JSON-RPC service'
  yield* serverChanges(owner, before, after)
  yield* limitChanges(owner, before, after)
  yield* schemeNameChanges(before, after)
  for (const [members, removed, added, told] of SECTIONS) {
    const [was, is] = [section(before, members), section(after, members)]
    const places = (name: string) => ({
      before: before.source.locate(...members, name),
      after: after.source.locate(...members, name),
    })
    for (const name of Object.keys(was)) {
      if (!Object.hasOwn(is, name)) yield change(removed, places(name), told(name, 'is gone'))
    }
    for (const name of added ? Object.keys(is) : []) {
      if (added && !Object.hasOwn(was, name)) {
        yield change(added, places(name), told(name, 'is new'))
      }
    }
  }
}

const section = ({ bundled }: HttpDocument | RpcDocument, members: readonly string[]) =>
  members.reduce((node, member) => asObject(node[member]), bundled)

const SECTIONS = [
  [
    ['webhooks'],
    'webhook-removed',
    'webhook-added',
    (name: string, fate: string) =>
      fate === 'is gone'
        ? `the webhook ${name} is gone: receivers wait for a call that never comes`
        : `the webhook ${name} ${fate}`,
  ],
  [
    ['components', 'schemas'],
    'schema-removed',
    undefined,
    (name: string, fate: string) => `the schema ${name} ${fate}: generated types lose that name`,
  ],
] as const
