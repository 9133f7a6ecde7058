import { fileNameOf } from '../../../runtime/shared/file-name.js'
import { property } from '../../../runtime/validate/wording.js'
import type { Fault } from '../../../runtime/validate.js'
import { tokens } from '../../tokens.js'
import { type CheckResult, parse } from './checks.js'
import { element } from './element.js'
import type { CompleteResponse } from './send.js'

/** The result of checking a response; announced to screen readers. */
export function checkView({
  tone,
  headline,
  faults,
  notes,
  link,
  whole,
}: CheckResult): readonly Node[] {
  return [
    element(
      'p',
      { class: 'headline' },
      element('span', { class: 'sign' }, SIGNS[tone]),
      ` ${headline}`,
    ),
    ...(faults.length > 0 ? [faultList(faults.map((one) => ({ whose: whole, ...one })))] : []),
    ...notes.map((note) => element('p', {}, note)),
    ...(link ? [element('p', {}, element('a', { href: link.href }, link.words))] : []),
  ]
}

/** Signs, so that the result is not shown by colour alone. */
const SIGNS = { fits: '✓', error: '!', wrong: '✗' }

/** The response: status, time, headers, and the body as received. */
export function responseView(answer: CompleteResponse, text: string | undefined): readonly Node[] {
  return [
    ...headView(answer, answer.bytes.byteLength),
    text === undefined
      ? saved(answer)
      : text === ''
        ? element('p', {}, 'No body.')
        : bodyFigure(text),
  ]
}

/** A link to save binary content, under the name in the headers. */
function saved({ bytes, headers }: CompleteResponse): HTMLElement {
  const headerOf = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? ''
  const name = fileNameOf(headerOf('content-disposition')) ?? 'response'
  const href = URL.createObjectURL(new Blob([bytes], { type: headerOf('content-type') }))
  const link = element('a', { href, download: name, class: 'save' }, `Save ${name}`)
  return element('p', {}, 'The body is not text. ', link)
}

/** Time, size in bytes, and more facts before and after them. */
export function factsView(
  milliseconds: number,
  size: number,
  before: readonly Fact[] = [],
  after: readonly Fact[] = [],
): HTMLElement {
  const facts: readonly Fact[] = [
    ...before,
    ['Time', `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`],
    ['Size', `${size.toLocaleString('en')} bytes`],
    ...after,
  ]
  return element(
    'dl',
    { class: 'facts' },
    ...facts.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value)),
    ),
  )
}

type Fact = readonly [name: string, value: string]

/** Shows items as they arrive, each as it was received. `faults` has those of all items. */
export function createItemsView(label: string) {
  const list = element('ol', { class: 'items', 'aria-label': label })
  const faults: PlacedFault[] = []
  let count = 0
  return {
    list,
    faults: faults as readonly PlacedFault[],
    add: (text: string, found: readonly Omit<PlacedFault, 'whose'>[]): void => {
      count += 1
      faults.push(...found.map((fault) => ({ ...fault, whose: `item ${count}` })))
      if (count > MOST_ITEMS) return
      list.append(element('li', {}, found.length > 0 ? '✗ ' : '', element('code', {}, text)))
    },
    /** `3 items, as declared`. */
    words: () =>
      `${count === 1 ? '1 item' : `${count} items`}, ${faults.length > 0 ? 'not all of which fit their schema' : 'as declared'}`,
    notes: (): readonly string[] =>
      count > MOST_ITEMS ? [`The first ${MOST_ITEMS} items are shown.`] : [],
  }
}

const MOST_ITEMS = 1_000

/** Status, time, size in bytes, and headers. */
export function headView(
  { status, headers, milliseconds, movedTo }: Omit<CompleteResponse, 'kind' | 'bytes'>,
  size: number,
): readonly Node[] {
  const rows = headers.map(([name, value]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, element('code', {}, name)),
      element('td', {}, value),
    ),
  )
  return [
    factsView(
      milliseconds,
      size,
      [['Status', `${status}`]],
      movedTo === undefined ? [] : [['Answered by', movedTo]],
    ),
    element(
      'details',
      {},
      element('summary', {}, rows.length === 1 ? '1 header' : `${rows.length} headers`),
      element('table', {}, element('tbody', {}, ...rows)),
    ),
  ]
}

/** A body, coloured as JSON if it is short. */
export function bodyFigure(text: string): HTMLElement {
  const shown = 'value' in parse(text) ? pretty(text) : text
  const cut = shown.slice(0, LONGEST)
  const code = element('code', { class: 'json' })
  for (const { text: token, kind } of cut.length < COLOURED
    ? tokens(cut)
    : [{ text: cut, kind: undefined }])
    code.append(kind === undefined ? token : element('span', { class: `t-${kind}` }, token))
  return element(
    'figure',
    { class: 'code' },
    element(
      'figcaption',
      {},
      cut.length < shown.length
        ? `Body, its first ${LONGEST.toLocaleString('en')} characters`
        : 'Body',
    ),
    element('pre', { tabindex: '0', role: 'group', 'aria-label': 'Response body' }, code),
  )
}

/** The maximum number of characters of a body that are shown, and that are coloured; more would block the page. */
const LONGEST = 500_000
const COLOURED = 60_000

/** Formats JSON with one line per member. Tokens are unchanged: no number is rounded and no key is lost. */
export function pretty(text: string): string {
  let depth = 0
  let out = ''
  const line = () => `\n${'  '.repeat(depth)}`
  const all = text.match(TOKENS) ?? []
  for (const [at, token] of all.entries()) {
    if (token === '{' || token === '[') {
      out += token
      depth++
      if (all[at + 1] !== CLOSING[token]) out += line()
    } else if (token === '}' || token === ']') {
      depth--
      const before = all[at - 1] ?? ''
      out += CLOSING[before] === token ? token : line() + token
    } else if (token === ',') out += token + line()
    else out += token === ':' ? ': ' : token
  }
  return out
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

const TOKENS = /"(?:\\.|[^"\\])*"?|[{}[\],:]|[^\s{}[\],:"]+/g

/** The list of errors, one line per place; the same error for several properties of one place is listed once. */
export function faultList(faults: readonly PlacedFault[]): HTMLElement {
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

export type PlacedFault = {
  /** The affected value: `address`, `the body`; empty if the message includes it. */
  readonly whose: string
  /** JSON pointer into the value. */
  readonly pointer: string
  readonly message: string
} & Partial<Pick<Fault, 'keyword' | 'params'>>

const MOST = 20

function grouped(faults: readonly PlacedFault[]) {
  const places = new Map<
    string,
    Omit<PlacedFault, 'message'> & { sentences: Map<string, string> }
  >()
  for (const fault of faults) {
    const { whose, pointer, message } = fault
    const key = `${whose} ${pointer}`
    const place = places.get(key) ?? { whose, pointer, sentences: new Map() }
    places.set(key, place)
    const kind = kindOf(fault)
    const known = kind && place.sentences.get(kind)
    // Combines ``must have the property `a` `` and the same message for `b`.
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

/** The kind of an error whose message ends with the name of a property. */
const kindOf = ({ keyword, params }: PlacedFault): 'missing' | 'forbidden' | undefined => {
  if (keyword === undefined || params === undefined) return undefined
  if (keyword === 'required') return 'missing'
  return FORBIDDING.has(keyword) ? 'forbidden' : undefined
}

const FORBIDDING = new Set(['not', 'additionalProperties', 'unevaluatedProperties', 'properties'])

/** Renders text between backticks as code. */
const marked = (text: string): readonly (Node | string)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? element('code', {}, part) : part))
