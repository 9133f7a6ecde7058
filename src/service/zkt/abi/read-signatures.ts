import type { Abi, AbiParameter } from 'viem'
import { readParameter, readParameters, type WrittenParameter } from './read-parameter.js'
import { createResolver, type Resolve } from './resolve.js'
import { clip, readTokens, SignatureError, type Tokens } from './tokens.js'

/**
 * Reads a human-readable ABI: functions, events, errors, constructors and structs, one a line, in the notation of viem's
 * `parseAbi` and of ethers (`tuple(…)`, modifiers in any order). Answers either the entries in viem's shape or every line
 * that cannot be read, with its index and a sentence.
 *
 * viem's own reader is not for strangers: it recurses once a character, expands structs without bounds, keeps every
 * parameter that it has ever seen in a cache, takes `toString` for a struct, and does not know `tuple(`.
 */
export const readSignatures = (lines: readonly string[]): SignaturesRead => {
  const faults: LineFault[] = []
  const attempt = <T>(index: number, read: () => T): readonly T[] => {
    if (faults.length >= MOST_FAULTS) return []
    try {
      return [read()]
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error
      faults.push({ index, message: error.message })
      return []
    }
  }
  const written = lines.flatMap((line, index) =>
    attempt(index, () => ({ index, ...readLine(line) })),
  )
  const structs = new Map<string, readonly WrittenParameter[]>()
  for (const { index, kind, name, inputs } of written) {
    if (kind !== 'struct') continue
    attempt(index, () => {
      if (structs.has(name)) throw new SignatureError(`defines ${clip(name)} a second time`)
      structs.set(name, inputs)
    })
  }
  const resolve = createResolver(structs)
  const abi = written.flatMap(({ index, ...line }) => attempt(index, () => entryOf(line, resolve)))
  if (faults.length === 0) return { abi: abi.flat() }
  return { faults: faults.toSorted((left, right) => left.index - right.index) }
}

export type SignaturesRead =
  | { readonly abi: Abi; readonly faults?: never }
  | { readonly faults: readonly LineFault[]; readonly abi?: never }

/** `message` is the end of a sentence that begins with the line. */
export type LineFault = { readonly index: number; readonly message: string }

const MOST_FAULTS = 20

type Kind = 'function' | 'event' | 'error' | 'struct' | 'constructor' | 'fallback' | 'receive'

type Line = {
  readonly kind: Kind
  readonly name: string
  readonly inputs: readonly WrittenParameter[]
  readonly outputs: readonly WrittenParameter[]
  readonly words: readonly string[]
}

const readLine = (text: string): Line => {
  const tokens = readTokens(text)
  const kind = tokens.name()
  if (!isKind(kind))
    throw new SignatureError(`begins with ${clip(kind)}, which is no kind of entry`)
  const name = kind in UNNAMED ? '' : tokens.name()
  const inputs = kind === 'struct' ? readMembers(tokens) : readParameters(tokens)
  const words = readWords(tokens, kind)
  const outputs = kind === 'function' && tokens.takeIf('returns') ? readParameters(tokens) : []
  const all = [...words, ...(outputs.length > 0 ? readWords(tokens, kind) : [])]
  tokens.end()
  if (all.filter((word) => word in MUTABILITIES).length > 1)
    throw new SignatureError('says twice how it treats the state')
  return { kind, name, inputs, outputs, words: all }
}

const isKind = (text: string): text is Kind => Object.hasOwn(SUFFIXES, text)

const UNNAMED: Readonly<Record<string, true>> = Object.assign(Object.create(null), {
  constructor: true,
  fallback: true,
  receive: true,
})

const readMembers = (tokens: Tokens): readonly WrittenParameter[] => {
  tokens.expect('{')
  const members: WrittenParameter[] = []
  while (!tokens.takeIf('}')) {
    members.push(readParameter(tokens))
    tokens.expect(';')
  }
  if (members.length === 0) throw new SignatureError('has no members')
  return members
}

type Mutability = 'pure' | 'view' | 'nonpayable' | 'payable'

/** `constant` is what Solidity called `view` before 0.5. */
const MUTABILITIES: Readonly<Record<string, Mutability>> = Object.assign(Object.create(null), {
  pure: 'pure',
  view: 'view',
  constant: 'view',
  nonpayable: 'nonpayable',
  payable: 'payable',
})

const SCOPES = ['external', 'public', 'virtual', 'override']

const SUFFIXES: Readonly<Record<Kind, readonly string[]>> = {
  function: [...SCOPES, 'pure', 'view', 'constant', 'nonpayable', 'payable'],
  constructor: [...SCOPES, 'nonpayable', 'payable'],
  fallback: [...SCOPES, 'nonpayable', 'payable'],
  receive: [...SCOPES, 'payable'],
  event: ['anonymous'],
  error: [],
  struct: [],
}

const readWords = (tokens: Tokens, kind: Kind): readonly string[] => {
  const words: string[] = []
  while (SUFFIXES[kind].includes(tokens.next() ?? '')) words.push(tokens.take())
  return words
}

const entryOf = (line: Line, resolve: Resolve): Abi => {
  const { kind, name } = line
  const inputs = line.inputs.map(resolve)
  const outputs = line.outputs.map(resolve)
  if (kind !== 'event') forbidIndexed([...line.inputs, ...line.outputs])
  const stated = line.words.map((word) => MUTABILITIES[word]).find((word) => word !== undefined)
  const stateMutability = stated ?? 'nonpayable'
  const payable = stateMutability === 'payable' ? 'payable' : 'nonpayable'
  switch (kind) {
    case 'function':
      return [{ type: 'function', name, inputs, outputs, stateMutability }]
    case 'event':
      return [{ type: 'event', name, inputs: events(line, inputs), ...anonymity(line) }]
    case 'error':
      return [{ type: 'error', name, inputs }]
    case 'constructor':
      return [{ type: 'constructor', inputs, stateMutability: payable }]
    case 'fallback':
      return [{ type: 'fallback', stateMutability: payable }]
    case 'receive':
      return [{ type: 'receive', stateMutability: 'payable' }]
    case 'struct':
      return []
  }
}

const forbidIndexed = (parameters: readonly WrittenParameter[]): void => {
  if (parameters.some(({ indexed }) => indexed))
    throw new SignatureError('has an indexed parameter, which only events have')
}

const events = (line: Line, inputs: readonly AbiParameter[]) =>
  inputs.map((input, at) => (line.inputs[at]?.indexed ? { ...input, indexed: true } : input))

const anonymity = (line: Line): { readonly anonymous?: boolean } =>
  line.words.includes('anonymous') ? { anonymous: true } : {}
