import { property } from '../../../runtime/validate/wording.js'
import type { Fault } from '../../../runtime/validate.js'
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
} & Partial<Pick<Fault, 'keyword' | 'params'>>

const MOST = 20

function grouped(faults: readonly Placed[]) {
  const places = new Map<
    string,
    { whose: string; pointer: string; sentences: Map<string, string> }
  >()
  for (const fault of faults) {
    const { whose, pointer, message } = fault
    const key = `${whose} ${pointer}`
    const place = places.get(key) ?? { whose, pointer, sentences: new Map() }
    places.set(key, place)
    const kind = kindOf(fault)
    const known = kind && place.sentences.get(kind)
    // `must have the property `a`` and the same of `b` are one sentence.
    const sentence =
      known === undefined ? message : `${known}, ${property(fault.params?.property ?? '')}`
    place.sentences.set(kind ?? message, sentence)
  }
  return [...places.values()].map(({ whose, pointer, sentences }) => ({
    whose,
    pointer,
    messages: [...sentences.values()],
  }))
}

/** What faults that end with the name of a property say of it. */
const kindOf = ({ keyword, params }: Placed): 'missing' | 'forbidden' | undefined => {
  if (keyword === undefined || params === undefined) return undefined
  if (keyword === 'required') return 'missing'
  return FORBIDDING.has(keyword) ? 'forbidden' : undefined
}

const FORBIDDING = new Set(['not', 'additionalProperties', 'unevaluatedProperties', 'properties'])

/** Text between backticks is code. */
const marked = (text: string): readonly (Node | string)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? element('code', {}, part) : part))
