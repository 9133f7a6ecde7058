import { type Abi, type AbiFunction, concatHex, type Hex, keccak256, stringToBytes } from 'viem'
import { clip } from '../../clip.js'
import { fieldPath, RejectedSubmission } from '../rejected.js'
import { count, typeName } from '../values/shape.js'
import { encodeValues, readValues, type ValueFault } from '../values/values-in.js'

/**
 * Finds the function of a call, and encodes the call. `method` is a name or, to select an overload, a signature like
 * `add(uint256)`. Among functions of one name, those with the right number of parameters are tried, then those whose types fit
 * the arguments. Exactly one must remain.
 *
 * Throws RejectedSubmission: UNKNOWN_METHOD, or ARGUMENTS_MISMATCH with a pointer for each argument that does not fit.
 */
export const chooseFunction = (abi: Abi, method: string, args: readonly unknown[]): Chosen => {
  const named = functionsOf(abi, method)
  const counted = named.filter(({ inputs }) => inputs.length === args.length)
  if (named.length === 0) throw unknownMethod(abi, method)
  if (counted.length === 0) throw wrongCount(clip(method), named, args.length)
  if (counted.length > MOST_OVERLOADS) throw ambiguous(method, counted)
  const tried = counted.map((entry) => ({ entry, ...readValues(entry.inputs, args) }))
  const [fit, ...others] = tried.filter(({ values }) => values !== undefined)
  if (fit?.values === undefined) throw noFunctionFits(method, tried)
  const { entry, values } = fit
  if (others.length > 0) throw ambiguous(method, [entry, ...others.map((other) => other.entry)])
  return { entry, data: concatHex([selectorOf(entry), encodeValues(entry.inputs, values)]) }
}

export type Chosen = {
  readonly entry: AbiFunction
  /** Selector and arguments. */
  readonly data: Hex
}

/** `add(uint256)` */
export const signatureOf = ({ name, inputs }: Pick<AbiFunction, 'name' | 'inputs'>): string =>
  `${name}(${inputs.map(typeName).join(',')})`

/** The first four bytes of the hash of a function's or an error's signature. */
export const selectorOf = (entry: Pick<AbiFunction, 'name' | 'inputs'>): Hex =>
  keccak256(stringToBytes(signatureOf(entry))).slice(0, 10) as Hex

/** Each overload is tried with arguments of up to a megabyte, so their number is limited. */
const MOST_OVERLOADS = 16

/** Duplicate entries count once; an entry with other outputs or another mutability is another function. */
const functionsOf = (abi: Abi, method: string): readonly AbiFunction[] => {
  const [name, types] = splitMethod(method)
  const named = abi
    .filter((entry) => entry.type === 'function')
    .filter((entry) => entry.name === name)
  const wanted = named.filter((entry) => types === undefined || signatureOf(entry) === name + types)
  return [...new Map(wanted.map((entry) => [identity(entry), entry] as const)).values()]
}

/** White space is ignored; `uint` is an alias of `uint256`. */
const splitMethod = (method: string): readonly [string, string | undefined] => {
  const text = method.trim()
  const at = text.indexOf('(')
  if (at === -1) return [text, undefined]
  const types = text
    .slice(at)
    .replace(/\s+/g, '')
    .replace(/\b(u?int)\b/g, '$1256')
  return [text.slice(0, at).trimEnd(), types]
}

const identity = (entry: AbiFunction): string =>
  `${signatureOf(entry)} ${entry.stateMutability} ${entry.outputs.map(typeName).join(',')}`

const unknownMethod = (abi: Abi, method: string): RejectedSubmission => {
  const names = new Set(abi.flatMap((entry) => (entry.type === 'function' ? [entry.name] : [])))
  const has = names.size === 0 ? 'it has none at all' : `it has ${clip([...names].join(', '), 200)}`
  return new RejectedSubmission('UNKNOWN_METHOD', `the ABI has no function ${clip(method)}`, {
    details: [{ pointer: '/method', message: `must name a function of the ABI: ${has}` }],
  })
}

/** `add takes 1 argument, 2 were given`, as in the documented example. */
export const wrongCount = (
  name: string,
  candidates: readonly { readonly inputs: readonly unknown[] }[],
  args: number,
): RejectedSubmission => {
  const counts = [...new Set(candidates.map(({ inputs }) => inputs.length))].sort((a, b) => a - b)
  const takes = counts.length === 1 ? count(counts[0] ?? 0, 'argument') : `${or(counts)} arguments`
  const were = args === 0 ? 'none was given' : `${args} ${args === 1 ? 'was' : 'were'} given`
  return new RejectedSubmission('ARGUMENTS_MISMATCH', `${name} takes ${takes}, ${were}`, {
    details: [
      { pointer: '/arguments', message: `must hold ${takes.replace('argument', 'value')}` },
    ],
  })
}

type Attempt = { readonly entry: AbiFunction; readonly faults?: readonly ValueFault[] }

const noFunctionFits = (method: string, tried: readonly Attempt[]): RejectedSubmission => {
  const name = clip(method)
  const [first] = tried[0]?.faults ?? []
  if (tried.length === 1 && first !== undefined) {
    const message = `${fieldPath(first.pointer)} of ${name} ${first.message}`
    return new RejectedSubmission('ARGUMENTS_MISMATCH', message, { details: tried[0]?.faults })
  }
  const details = tried.flatMap(({ entry, faults = [] }) =>
    faults.slice(0, 1).map(({ pointer, message }) => ({
      pointer,
      message: `${message} in ${clip(signatureOf(entry), 200)}`,
    })),
  )
  const candidates = list(tried.map(({ entry }) => entry))
  const message = `the arguments fit no ${name} of the ABI: ${candidates}`
  return new RejectedSubmission('ARGUMENTS_MISMATCH', message, { details })
}

const ambiguous = (method: string, candidates: readonly AbiFunction[]): RejectedSubmission => {
  const signatures = new Set(candidates.map(signatureOf))
  if (signatures.size === 1)
    return new RejectedSubmission(
      'INVALID_BODY',
      `the ABI contradicts itself on ${list(candidates)}`,
      {
        details: [{ pointer: '/abi', message: 'must say one thing of each function' }],
      },
    )
  return new RejectedSubmission(
    'ARGUMENTS_MISMATCH',
    `the arguments fit more than one ${clip(method)}, name one by its signature: ${list(candidates)}`,
    { details: [{ pointer: '/method', message: 'must name one function by its signature' }] },
  )
}

const list = (candidates: readonly AbiFunction[]): string =>
  clip([...new Set(candidates.map(signatureOf))].join(', '), 300)

const or = (numbers: readonly number[]): string =>
  `${numbers.slice(0, -1).join(', ')} or ${numbers.at(-1)}`
