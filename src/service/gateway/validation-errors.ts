import type { Fault } from 'twinspec/runtime/validate'
import { humanReadable } from '../zkt/abi/human-readable.js'

/** What is wrong with a submission in a sentence that names the field, and place by place. */
export const describeValidationError = (faults: readonly Fault[], body: unknown): InputError => {
  const mixed = mixture(body)
  if (mixed !== undefined) return mixed
  const details = faults.map((fault) => tellFault(fault, body))
  const [first] = details
  return {
    error: first === undefined ? 'the body does not fit' : sentence(first),
    details: details.map(({ pointer, message }) => ({ pointer, message })),
  }
}

export type InputError = {
  readonly error: string
  readonly details: readonly { readonly pointer: string; readonly message: string }[]
}

type Told = { readonly pointer: string; readonly message: string; readonly said?: string }

/** The fault of a missing or forbidden property is reported at that property, with its name shortened. */
const tellFault = ({ pointer, keyword, message, params }: Fault, body: unknown): Told => {
  const at = pointer.replace(/^\/body/, '')
  if (params !== undefined) {
    const place = `${at}/${shorten(params.property).replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (keyword === 'required')
      return { pointer: place, message: 'must be present', said: 'is missing' }
    if (FORBIDDING.has(keyword))
      return { pointer: place, message: FORBIDDEN, said: 'does not belong here' }
  }
  if (keyword === 'pattern' && at === '/to')
    return { pointer: at, message: 'must be an address: 0x and 40 hex digits' }
  return { pointer: at, message: ofAbi(at, keyword, body) ?? message }
}

const FORBIDDEN = 'must not be present'

/** People paste the JSON that compilers make of an ABI: they are shown their own entry as it must be. */
const ofAbi = (at: string, keyword: string, body: unknown): string | undefined => {
  if (keyword !== 'type' && keyword !== 'pattern') return undefined
  const abi: unknown = typeof body === 'object' && body !== null && 'abi' in body ? body.abi : null
  if (at === '/abi')
    return `must be an array of human-readable entries such as: ${humanReadable(abi) ?? ENTRY}`
  const [, index] = /^\/abi\/(\d+)$/.exec(at) ?? []
  if (index === undefined || !Array.isArray(abi)) return undefined
  const line = humanReadable(abi[Number(index)])
  return line === undefined
    ? `must be an ABI entry such as: ${ENTRY}`
    : `must be written in human-readable form: ${line}`
}

const ENTRY = 'function sum() view returns (uint256)'

const sentence = ({ pointer, message, said = message }: Told): string => {
  const place = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
  return place === '' ? `the body ${said}` : `${place} ${said}`
}

/** A name can be as long as the body, and the response repeats it. */
const shorten = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name)

const FORBIDDING = new Set(['not', 'additionalProperties', 'unevaluatedProperties', 'properties'])

/** Forms that exclude each other: no single field of them is wrong by itself. */
const mixture = (body: unknown): InputError | undefined => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const has = (name: string): boolean => Object.hasOwn(body, name)
  const ofCall = ['abi', 'to', 'method', 'wait'].filter(has)
  if (has('code')) return ofCall.length === 0 ? undefined : apart('code', ofCall)
  const isMessage =
    'arguments' in body && !Array.isArray(body.arguments) && !ofCall.some((name) => name !== 'wait')
  const extra = ['id', 'wait'].filter(has)
  return isMessage && extra.length > 0 ? apart('a message', extra) : undefined
}

const apart = (form: string, names: readonly string[]): InputError => ({
  error: `${form} does not go together with ${list(names)}`,
  details: names.map((name) => ({ pointer: `/${name}`, message: FORBIDDEN })),
})

const list = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
