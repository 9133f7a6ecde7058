import { isDeepStrictEqual } from 'node:util'
import type { Api, JsonObject, Operation } from '../model/api.js'
import { entriesOf } from '../model/json.js'
import { objects, text } from '../model/reading.js'
import { change } from './change.js'
import { type Comparison, documentOf } from './comparison.js'
import { type Change, ofPart } from './gather.js'
import { asObject, resolved, writtenOperation } from './written.js'

/** The links of an operation: those of its responses (OpenAPI), or those of its result (OpenRPC). */
export function* linkChanges(comparison: Comparison): Generator<Change> {
  const { before, after, context, name } = comparison
  const [was, is] = [linksOf(context.before, before), linksOf(context.after, after)]
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [old, young] = [was.get(key), is.get(key)]
    const places = {
      before: before.source.locate(...((old ?? young)?.members ?? [])),
      after: after.source.locate(...((young ?? old)?.members ?? [])),
    }
    const what = `the link ${key}`
    if (!young) {
      yield* ofPart(key, [change('link-removed', places, `${what} of ${name} is removed`)])
    } else if (!old) {
      yield* ofPart(key, [change('link-added', places, `${what} of ${name} is new`)])
    } else if (!isDeepStrictEqual(old.means, young.means)) {
      const [from, to] = [targetOf(old), targetOf(young)]
      const now = from === to ? 'gives other parameters now' : `leads to ${to} now, not to ${from}`
      yield* ofPart(key, [change('link-changed', places, `${what} of ${name} ${now}`)])
    }
  }
}

type Link = {
  /** The way from the operation to the link. */
  readonly members: readonly (string | number)[]
  /** All of it but its description. */
  readonly means: JsonObject
}

function linksOf(api: Api, operation: Operation): ReadonlyMap<string, Link> {
  const bundled: JsonObject = documentOf(api, operation)?.bundled ?? {}
  const written = writtenOperation(api, operation)
  const linkOf = (value: unknown, members: Link['members']): Link => {
    const { description: _, summary: __, name: ___, ...means } = resolved(bundled, value)
    return { members, means }
  }
  if (operation.kind === 'rpc') {
    const links = objects(written.links).map((value, index) => {
      const name = text(resolved(bundled, value).name) ?? String(index)
      return [`\`${name}\``, linkOf(value, ['links', index])] as const
    })
    return new Map(links)
  }
  const links = entriesOf(asObject(written.responses)).flatMap(([status, response]) =>
    entriesOf(asObject(resolved(bundled, response).links)).map(
      ([name, value]) =>
        [
          `\`${name}\` in the ${status} response`,
          linkOf(value, ['responses', status, 'links', name]),
        ] as const,
    ),
  )
  return new Map(links)
}

const targetOf = ({ means }: Link): string =>
  text(means.operationId) ??
  text(means.operationRef) ??
  text(means.method) ??
  text(means['x-rpc-method']) ??
  'no operation'
