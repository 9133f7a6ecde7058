import type { Abi, AbiParameter } from 'viem'
import { clip } from '../../clip.js'
import { isName, readTokens, SignatureError, type Tokens } from './tokens.js'

/**
 * Reads a human-readable ABI: functions, events, errors, constructors and structs, one per line. The notation is that of viem's
 * `parseAbi` and of ethers (`tuple(…)`, modifiers in any order). Returns either the entries in viem's shape or every invalid
 * line, with its index and a sentence.
 * viem's own parser is not for untrusted input. It recurses once per character, expands structs without limits, and caches
 * every parameter forever. It also reads `toString` as a struct, and does not support `tuple(`.
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

type SignaturesRead =
  | { readonly abi: Abi; readonly faults?: never }
  | { readonly faults: readonly LineFault[]; readonly abi?: never }

/** `message` is the end of a sentence that begins with the line. */
type LineFault = { readonly index: number; readonly message: string }

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

/** `constant` is the name of `view` in Solidity before 0.5. */
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

/** A parameter as written, with unresolved structs. */
type WrittenParameter = {
  /** The name of a type, or the members of an inline tuple. */
  readonly base: string | readonly WrittenParameter[]
  /** `[2][]`, or empty. */
  readonly arrays: string
  readonly name: string | undefined
  readonly indexed: boolean
}

/** Reads `(type name, …)` with its parentheses. */
const readParameters = (tokens: Tokens, level = 0): readonly WrittenParameter[] => {
  tokens.expect('(')
  if (tokens.takeIf(')')) return []
  const parameters = [readParameter(tokens, level)]
  while (tokens.takeIf(',')) parameters.push(readParameter(tokens, level))
  tokens.expect(')')
  return parameters
}

/** Reads `type[] memory name`, `tuple(…) name` or `(…) name`. */
const readParameter = (tokens: Tokens, level = 0): WrittenParameter => {
  if (level > DEEPEST) throw new SignatureError(`nests deeper than ${DEEPEST} levels`)
  const base = readBase(tokens, level)
  const arrays = readArrays(tokens)
  const modifiers = readModifiers(tokens)
  const name = isName(tokens.next()) ? tokens.take() : undefined
  return { base, arrays, name, indexed: modifiers.includes('indexed') }
}

/** The maximum depth of arrays and tuples; contracts in use have at most four or five levels. */
const DEEPEST = 16

const readBase = (tokens: Tokens, level: number): string | readonly WrittenParameter[] => {
  const opens = tokens.next() === '('
  if (!opens) {
    const type = tokens.name()
    if (type === 'address') tokens.takeIf('payable')
    if (type !== 'tuple' || tokens.next() !== '(') return type
  }
  const members = readParameters(tokens, level + 1)
  // Elements without a size could not be counted: an array of a billion empty tuples takes no bytes at all.
  if (members.length === 0) throw new SignatureError('has a tuple without members')
  return members
}

const readArrays = (tokens: Tokens): string => {
  let arrays = ''
  while (tokens.takeIf('[')) {
    const length = tokens.next() === ']' ? '' : tokens.take()
    if (!/^([1-9]\d{0,8})?$/.test(length))
      throw new SignatureError(`has an array of ${clip(length)} items`)
    tokens.expect(']')
    arrays += `[${length}]`
  }
  return arrays
}

const MODIFIERS = new Set(['memory', 'calldata', 'storage', 'indexed'])

const readModifiers = (tokens: Tokens): readonly string[] => {
  const modifiers: string[] = []
  while (MODIFIERS.has(tokens.next() ?? '')) modifiers.push(tokens.take())
  return modifiers
}

/** Converts a parameter as written to viem's, with structs as tuples. Throws a SignatureError. */
type Resolve = (written: WrittenParameter) => AbiParameter

/** The limit applies to a whole ABI: 20 structs of two members each, nested, are a million parameters. */
const createResolver = (structs: ReadonlyMap<string, readonly WrittenParameter[]>): Resolve => {
  let left = MOST_PARAMETERS
  const resolve = (written: WrittenParameter, inside: readonly string[]): AbiParameter => {
    left -= 1
    if (left < 0) throw new SignatureError(`leads to more than ${MOST_PARAMETERS} parameters`)
    const name = written.name === undefined ? {} : { name: written.name }
    const { base, arrays } = written
    if (typeof base !== 'string') {
      const components = base.map((member) => resolve(member, inside))
      return { type: `tuple${arrays}`, ...name, components }
    }
    const members = structs.get(base)
    if (members === undefined) return { type: `${elementary(base)}${arrays}`, ...name }
    if (inside.includes(base)) throw new SignatureError(`has ${clip(base)} inside itself`)
    if (inside.length >= DEEPEST) throw new SignatureError(`nests deeper than ${DEEPEST} levels`)
    const components = members.map((member) => resolve(member, [...inside, base]))
    return { type: `tuple${arrays}`, ...name, components }
  }
  return (written) => {
    const parameter = resolve(written, [])
    if (depthOf(parameter) > DEEPEST)
      throw new SignatureError(`nests deeper than ${DEEPEST} levels`)
    return parameter
  }
}

const MOST_PARAMETERS = 10_000

const elementary = (type: string): string => {
  if (type === 'uint' || type === 'int') return `${type}256`
  if (!isElementary(type)) throw new SignatureError(`has the unknown type ${clip(type)}`)
  return type
}

const isElementary = (type: string): boolean => {
  if (['address', 'bool', 'string', 'bytes', 'function'].includes(type)) return true
  const [, bits] = /^u?int([1-9]\d{0,2})$/.exec(type) ?? []
  if (bits !== undefined) return Number(bits) % 8 === 0 && Number(bits) <= 256
  const [, bytes] = /^bytes([1-9]\d?)$/.exec(type) ?? []
  return bytes !== undefined && Number(bytes) <= 32
}

const depthOf = (parameter: AbiParameter): number => {
  const dimensions = parameter.type.split('[').length - 1
  if (!('components' in parameter)) return dimensions
  return dimensions + 1 + Math.max(...parameter.components.map(depthOf))
}
