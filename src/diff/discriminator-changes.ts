import type { Discriminator } from '../schema/source.js'

/** What changed in a discriminator: the end of the rule's id, and the message, given the name of the schema that has it. */
export function* discriminatorChanges(
  direction: 'request' | 'response',
  before: Discriminator | undefined,
  after: Discriminator | undefined,
): Generator<{ readonly id: string; readonly message: (what: string) => string }> {
  if (!before || !after) {
    if (after) {
      const name = `\`${after.propertyName}\``
      yield {
        id: 'discriminator-added',
        message: (what) => `${what} has a discriminator now: the property ${name}`,
      }
    } else if (before) {
      const loss =
        direction === 'request'
          ? ''
          : ': clients that choose an alternative by it have to find another way'
      const name = `\`${before.propertyName}\``
      yield {
        id: 'discriminator-removed',
        message: (what) =>
          `${what} no longer has a discriminator; it was the property ${name}${loss}`,
      }
    }
    return
  }
  if (before.propertyName !== after.propertyName) {
    const change = `is the property \`${after.propertyName}\` now, not \`${before.propertyName}\``
    yield {
      id: 'discriminator-property-changed',
      message: (what) =>
        `${ownerIn(what)} ${change}: the old property no longer selects the alternative`,
    }
    return
  }
  for (const [value, target] of Object.entries(before.mapping)) {
    const now = after.mapping[value]
    if (now === undefined || now === target) continue
    const change = `means the schema \`${nameIn(now)}\` now, not \`${nameIn(target)}\``
    yield {
      id: 'discriminator-value-changed',
      message: (what) => `the value \`${value}\` of ${ownerIn(what)} ${change}`,
    }
  }
  const [removed, added] = [without(before, after), without(after, before)]
  if (removed !== '') {
    const loss = direction === 'request' ? ': callers who send it may be rejected' : ''
    yield {
      id: 'discriminator-value-removed',
      message: (what) => `${ownerIn(what)} no longer has ${removed}${loss}`,
    }
  }
  if (added !== '') {
    const loss = direction === 'request' ? '' : ': clients may not know it'
    yield {
      id: 'discriminator-value-added',
      message: (what) => `${ownerIn(what)} now has ${added}${loss}`,
    }
  }
}

/** The values that only one version has, in words. */
function without(one: Discriminator, other: Discriminator): string {
  const values = Object.keys(one.mapping).filter((value) => !Object.hasOwn(other.mapping, value))
  const [first, ...more] = values.map((value) => `\`${value}\``)
  if (first === undefined) return ''
  return more.length === 0 ? `the value ${first}` : `the values ${[first, ...more].join(', ')}`
}

const ownerIn = (what: string) => `the discriminator of ${what}`

const nameIn = (reference: string) => reference.split('/').at(-1) ?? reference
