import { element } from './element.js'

/** What is wrong, a line for each place; what is said of several names of one place is said once. */
export function faultList(faults: readonly Placed[]): HTMLElement {
  const all = grouped(faults)
  const shown = all.slice(0, MOST).map(({ whose, pointer, messages }) => {
    const place = pointer === '' ? [] : [whose === '' ? '' : ', at ', element('code', {}, pointer)]
    const name = whose === '' ? undefined : element('strong', {}, whose)
    const words = messages.flatMap((one, at) => [at === 0 ? ' ' : '; ', ...marked(one)])
    return element('li', {}, name, ...place, ...words)
  })
  const more = all.length - shown.length
  return element(
    'ul',
    {},
    ...shown,
    more > 0 ? element('li', {}, `and ${more} more places`) : undefined,
  )
}

export type Placed = {
  /** Whom it is about: `address`, `the body`; empty where the message says so itself. */
  readonly whose: string
  /** JSON pointer into it. */
  readonly pointer: string
  readonly message: string
}

const MOST = 20

function grouped(faults: readonly Placed[]) {
  const places = new Map<string, { whose: string; pointer: string; heads: Map<string, string[]> }>()
  for (const { whose, pointer, message } of faults) {
    const key = `${whose} ${pointer}`
    const place = places.get(key) ?? { whose, pointer, heads: new Map() }
    places.set(key, place)
    // `must have the property `a`` and the same of `b` are one sentence.
    const [, head = message, name] = /^([^`]*)(`[^`]*`)$/.exec(message) ?? []
    place.heads.set(head, [...(place.heads.get(head) ?? []), ...(name === undefined ? [] : [name])])
  }
  return [...places.values()].map(({ whose, pointer, heads }) => ({
    whose,
    pointer,
    messages: [...heads].map(([head, names]) => head + names.join(', ')),
  }))
}

/** What stands between backticks is code. */
const marked = (text: string): readonly (Node | string)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? element('code', {}, part) : part))
