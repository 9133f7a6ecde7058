import { readSignatures } from './read-signatures.js'

/**
 * The line of a human-readable ABI that says what an entry of a JSON ABI does, given as an object, as its JSON, or as the
 * JSON of an array that begins with it. Undefined where it is no function, event, error or constructor, or too long for a hint.
 */
export const humanReadable = (given: unknown): string | undefined => {
  const parsed = typeof given === 'string' ? parse(given) : given
  const entry: unknown = Array.isArray(parsed) ? parsed[0] : parsed
  const line = lineOf(membersOf(entry))
  // What is advised must be taken: names may be anything.
  return line !== undefined && line.length <= LONGEST && readSignatures([line]).abi
    ? line
    : undefined
}

const LONGEST = 500

/** Tuples in one another, which the reader bounds too. */
const DEEPEST = 16

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {}

const lineOf = ({ type, name, inputs, outputs, stateMutability }: Members): string | undefined => {
  const named = `${wordOf(name)}${parametersOf(inputs)}`
  if (type === 'constructor') return `constructor${parametersOf(inputs)}`
  if (type === 'event' || type === 'error') return `${type} ${named}`
  if (type !== 'function') return undefined
  const state = stateMutability === 'nonpayable' ? '' : after(' ', stateMutability)
  const returned = parametersOf(outputs)
  return `function ${named}${state}${returned === '()' ? '' : ` returns ${returned}`}`
}

const parametersOf = (given: unknown, level = 0): string => {
  const parameters = Array.isArray(given) && level < DEEPEST ? given.slice(0, LONGEST) : []
  return `(${parameters.map((parameter) => parameterOf(membersOf(parameter), level)).join(', ')})`
}

const parameterOf = ({ type, name, indexed, components }: Members, level: number): string => {
  const tuple = wordOf(type).startsWith('tuple') ? parametersOf(components, level + 1) : ''
  const written = wordOf(type).replace(/^tuple/, () => `tuple${tuple}`)
  return `${written}${indexed === true ? ' indexed' : ''}${after(' ', name)}`
}

/** What is no text is no word of the notation either. */
const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '?')

const after = (gap: string, value: unknown): string =>
  value === undefined || value === '' ? '' : gap + wordOf(value)
