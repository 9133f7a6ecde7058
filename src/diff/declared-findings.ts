import { isDeepStrictEqual } from 'node:util'
import type { Declared } from '../schema/contain/declared.js'
import { CONTENT } from '../schema/keywords.js'
import type { Source } from '../schema/source.js'
import { type Discriminator, sourceOf } from '../schema/source.js'
import { accessSaid } from './access-changes.js'
import { discriminatorChanges } from './discriminator-changes.js'
import type { Change } from './gather.js'
import { type Life, lifecycleChanges, removal } from './lifecycle.js'
import { schemaRule } from './schema-rules.js'
import { valuesOf } from './schema-words.js'
import { type DiffContext, locate, named, type Subject } from './subject.js'

/** What two versions declare differently at one place, whatever values they accept. */
export function* declaredFindings(
  { today }: DiffContext,
  subject: Subject,
  { kind, path, before, after }: Declared,
): Generator<Change> {
  const { direction } = subject
  const isRequest = direction === 'request'
  const what = named(subject.what, path)
  /** The cause is the message without the name of the place, so that the same change at several places is one. */
  const say = (id: string, message: (what: string) => string, keyword?: string): Change => {
    const { level, advice } = schemaRule(`${direction}-${id}`)
    return {
      rule: `${direction}-${id}`,
      level,
      location: locate({ ...after, keyword }, subject.after),
      before: locate({ ...before, keyword }, subject.before),
      message: message(what),
      ...(advice !== undefined && { advice }),
      cause: JSON.stringify([path.at(-1), message('')]),
      subject: subject.what,
    }
  }
  const changed = (member: string) => (what: string) =>
    `the ${member} of ${what} is ${said(after.says)} now, and was ${said(before.says)}`
  const access = accessSaid(direction, { kind, before, after })
  if (access && path.length > 0) yield say(access.id, (what) => `${what} ${access.words}`)
  switch (kind) {
    case 'property-added':
      yield say(kind, (what) => `${what} is new`)
      break
    case 'property-removed': {
      const schema = before.node?.schema
      const life = typeof schema === 'object' ? schema : {}
      const sunset = typeof life['x-sunset'] === 'string' ? life['x-sunset'] : undefined
      const fate = removal({ deprecated: life.deprecated === true, sunset }, today)
      const loss = isRequest ? 'the service ignores or rejects it' : 'clients no longer receive it'
      if (fate.kind === 'in-time') {
        yield say(
          'property-removed-after-deprecation',
          (what) => `${what} is removed: ${fate.text}`,
        )
      } else yield say(kind, (what) => `${what} is removed: ${loss}`)
      break
    }
    case 'life':
      if (path.length > 0) {
        const [was, is] = [lifeOf(before, subject.before), lifeOf(after, subject.after)]
        yield* lifecycleChanges('property', what, was, is, today)
      }
      break
    case 'default':
      if (subject.defaultIsTold && path.length === 0) break
      yield say('default-changed', changed('default'))
      break
    case 'format': {
      const id =
        before.says === undefined ? 'added' : after.says === undefined ? 'removed' : 'changed'
      yield say(`format-${id}`, changed('format'))
      break
    }
    case 'discriminator': {
      const versions = [before.says, after.says] as [Discriminator?, Discriminator?]
      for (const { id, message } of discriminatorChanges(direction, ...versions)) {
        yield say(id, message, 'discriminator')
      }
      break
    }
    case 'content': {
      const [was, is] = [before.says, after.says] as readonly Readonly<Record<string, unknown>>[]
      for (const keyword of CONTENT) {
        if (isDeepStrictEqual(was?.[keyword], is?.[keyword])) continue
        const words = `is ${said(is?.[keyword])} now, and was ${said(was?.[keyword])}`
        yield say('content-changed', (what) => `the ${keyword} of ${what} ${words}`)
      }
      break
    }
    case 'closed':
      yield say(
        'object-closed',
        (what) => `${what} can no longer have properties that are not declared`,
      )
      break
    case 'opened':
      yield say('object-opened', (what) => `${what} can have properties now that are not declared`)
      break
    case 'undeclared-narrowed': {
      const loss = isRequest ? ': callers who send such may be rejected' : ''
      yield say(
        kind,
        (what) =>
          `${what} restricts properties or items that are not declared (${after.says})${loss}`,
      )
      break
    }
    case 'undeclared-widened': {
      const loss = isRequest ? '' : ': clients may receive other values there'
      yield say(
        kind,
        (what) =>
          `${what} no longer restricts properties or items that are not declared (${before.says})${loss}`,
      )
      break
    }
    case 'extensible-value-removed':
      yield say(
        kind,
        (what) => `${what} no longer lists ${valuesOf(before.says)} among its known values`,
      )
      break
    case 'read-only':
    case 'write-only':
      break
  }
}

const lifeOf = ({ node, says }: Declared['before'], user: Source): Life => {
  const { deprecated = false, 'x-sunset': sunset } = (says ?? {}) as Record<string, unknown>
  const source = node && sourceOf(node.schema)
  return {
    deprecated: deprecated === true,
    sunset: typeof sunset === 'string' ? sunset : undefined,
    source: source ?? user,
  }
}

const said = (says: unknown) => (says === undefined ? 'none' : JSON.stringify(says))
