import { clip, isName, SignatureError, type Tokens } from './tokens.js'

/** A parameter as it is written, its structs not looked up yet. */
export type WrittenParameter = {
  /** The name of a type, or the members of an inline tuple. */
  readonly base: string | readonly WrittenParameter[]
  /** `[2][]`, or nothing. */
  readonly arrays: string
  readonly name: string | undefined
  readonly indexed: boolean
}

/** Reads `(type name, …)` with its parentheses. */
export const readParameters = (tokens: Tokens, level = 0): readonly WrittenParameter[] => {
  tokens.expect('(')
  if (tokens.takeIf(')')) return []
  const parameters = [readParameter(tokens, level)]
  while (tokens.takeIf(',')) parameters.push(readParameter(tokens, level))
  tokens.expect(')')
  return parameters
}

/** Reads `type[] memory name`, `tuple(…) name` or `(…) name`. */
export const readParameter = (tokens: Tokens, level = 0): WrittenParameter => {
  if (level > DEEPEST) throw new SignatureError(`nests deeper than ${DEEPEST} levels`)
  const base = readBase(tokens, level)
  const arrays = readArrays(tokens)
  const modifiers = readModifiers(tokens)
  const name = isName(tokens.next()) ? tokens.take() : undefined
  return { base, arrays, name, indexed: modifiers.includes('indexed') }
}

/** Arrays and tuples in one another; contracts in use have no more than four or five. */
export const DEEPEST = 16

const readBase = (tokens: Tokens, level: number): string | readonly WrittenParameter[] => {
  const opens = tokens.next() === '('
  if (!opens) {
    const type = tokens.name()
    if (type === 'address') tokens.takeIf('payable')
    if (type !== 'tuple' || tokens.next() !== '(') return type
  }
  const members = readParameters(tokens, level + 1)
  // Nothing of no size may be counted: an array of a billion empty tuples takes no bytes at all.
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
