import type { Fault } from '../../runtime/validate.js'

/** What is wrong with a submission in a sentence that names the field, and place by place. */
export const describeMisfit = (faults: readonly Fault[], body: unknown): Misfit => {
  const details = faults.map(tellFault)
  const [first] = details
  const named = first === undefined ? 'the body does not fit' : sentence(first)
  return {
    error: mixture(body) ?? named,
    details: details.map(({ pointer, message }) => ({ pointer, message })),
  }
}

export type Misfit = {
  readonly error: string
  readonly details: readonly { readonly pointer: string; readonly message: string }[]
}

type Told = { readonly pointer: string; readonly message: string; readonly said?: string }

/** The fault of a missing or forbidden property is told at that property. */
const tellFault = ({ pointer, keyword, message }: Fault): Told => {
  const at = pointer.replace(/^\/body/, '')
  const name = /`(.*)`$/s.exec(message)?.[1]
  if (keyword === 'required' && name !== undefined)
    return { pointer: `${at}/${name}`, message: 'must be present', said: 'is missing' }
  if (FORBIDDING.has(keyword) && name !== undefined)
    return {
      pointer: `${at}/${name}`,
      message: 'must not be present',
      said: 'does not belong here',
    }
  const known = SHAPES.find(([place]) => keyword === 'pattern' && place.test(at))?.[1]
  return { pointer: at, message: known ?? message }
}

const sentence = ({ pointer, message, said = message }: Told): string => {
  const place = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
  return place === '' ? `the body ${said}` : `${place} ${said}`
}

const FORBIDDING = new Set(['not', 'additionalProperties', 'properties'])

/** Patterns in words. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/^\/to$/, 'must be an address: 0x and 40 hex digits'],
  [/^\/abi\/\d+$/, 'must be an ABI entry such as: function sum() view returns (uint256)'],
]

/** Forms that exclude each other: no single field of them is wrong by itself. */
const mixture = (body: unknown): string | undefined => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const has = (name: string): boolean => Object.hasOwn(body, name)
  const ofCall = ['abi', 'to', 'method', 'wait'].filter(has)
  if (has('code'))
    return ofCall.length === 0 ? undefined : `code does not go together with ${list(ofCall)}`
  const isMessage =
    'arguments' in body &&
    typeof body.arguments === 'string' &&
    !ofCall.some((name) => name !== 'wait')
  const extra = ['id', 'wait'].filter(has)
  return isMessage && extra.length > 0
    ? `a message does not go together with ${list(extra)}`
    : undefined
}

const list = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
