import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/**
 * Constructs that another engine reads differently or rejects, in the order of the text; each is reported once, at its
 * first occurrence. The other engines are Python, Java, Go's RE2, .NET, Rust and PCRE. The recommendations of 2020-12
 * core 6.4 are portable. So are `.`, `(?:…)` and the escapes that all of them share.
 */
export const findUnportable = (pattern: string): readonly Unportable[] => {
  const tree = parse(pattern)
  const sights = tree.kind === 'read' ? findInTree(tree.syntax) : findForeign(pattern, tree)
  const first = new Map<Construct, Unportable>()
  for (const { construct, where, text } of [...sights].sort(byPlace)) {
    if (first.has(construct)) continue
    first.set(construct, { construct, where, says: `${text} ${MESSAGES[construct]}` })
  }
  return [...first.values()]
}

/** `where` is an offset in UTF-16 units; `says` is a clause that starts with the text there. */
type Unportable = {
  readonly construct: Construct
  readonly where: number
  readonly says: string
}

type Sight = { readonly construct: Construct; readonly where: number; readonly text: string }

type Tree =
  | { readonly kind: 'read'; readonly syntax: AST.Pattern }
  | { readonly kind: 'rejected'; readonly where: number; readonly message: string }

const byPlace = (one: Sight, other: Sight): number => one.where - other.where

/** Parses as the validator does: with `u`, or else without. */
const parse = (pattern: string): Tree => {
  const parser = new RegExpParser({ ecmaVersion: 2025 })
  let rejection: unknown
  for (const unicode of [true, false]) {
    try {
      const syntax = parser.parsePattern(pattern, 0, pattern.length, { unicode })
      return { kind: 'read', syntax }
    } catch (cause) {
      rejection ??= cause
    }
  }
  const where = isPlaced(rejection) ? Math.min(rejection.index, pattern.length) : 0
  const message = rejection instanceof Error ? rejection.message : String(rejection)
  return { kind: 'rejected', where, message: message.replace(/^.*: /s, '') }
}

const isPlaced = (cause: unknown): cause is { readonly index: number } =>
  typeof cause === 'object' && cause !== null && 'index' in cause && typeof cause.index === 'number'

const findInTree = (syntax: AST.Pattern): readonly Sight[] => {
  const sights: Sight[] = []
  const see = (
    construct: Construct | undefined,
    { start, raw }: Pick<AST.Node, 'start' | 'raw'>,
  ) => {
    if (construct !== undefined) sights.push({ construct, where: start, text: cut(raw) })
  }
  visitRegExpAST(syntax, {
    onAssertionEnter: (node) => see(ASSERTIONS[node.kind], node),
    onBackreferenceEnter: (node) => see('backreference', node),
    onCapturingGroupEnter: (node) => see(node.name === null ? undefined : 'named-group', node),
    onModifiersEnter: (node) => see('inline-flags', node.parent),
    onCharacterSetEnter: (node) => see(CHARACTER_SETS[node.kind], node),
    onCharacterEnter: (node) => see(nameCharacter(node), node),
    onQuantifierEnter: (node) => {
      if (node.element.type === 'Assertion') see('quantified-assertion', node)
      const counts = [node.min, node.max].filter(Number.isFinite)
      if (Math.max(...counts) > LARGEST_REPEAT) see('large-repeat', node)
    },
    onCharacterClassEnter: (node) => {
      if (node.elements.length === 0) see('empty-class', node)
      const operator = findOperator(node.raw)
      if (operator) see('class-operator', { start: node.start + operator.at, raw: operator.text })
      const hyphen = findHyphen(node.elements)
      if (hyphen) see('hyphen-beside-set', hyphen)
    },
  })
  return sights
}

const ASSERTIONS: Readonly<Record<AST.Assertion['kind'], Construct | undefined>> = {
  start: undefined,
  end: undefined,
  word: 'word-boundary',
  lookahead: 'lookaround',
  lookbehind: 'lookaround',
}

const CHARACTER_SETS: Readonly<Record<AST.CharacterSet['kind'], Construct | undefined>> = {
  any: undefined,
  digit: 'digit-set',
  space: 'space-set',
  word: 'word-set',
  property: 'unicode-property',
}

/** RE2 rejects larger counts. */
const LARGEST_REPEAT = 1_000
const LONGEST_TEXT = 30
const SYNTAX_CHARACTERS = '^$\\.*+?()[]{}|/'
const ALIKE_EVERYWHERE = /^\\(?:[tnrf]|x[0-9a-fA-F]{2})$/

const cut = (raw: string): string =>
  raw.length > LONGEST_TEXT ? `${raw.slice(0, LONGEST_TEXT)}…` : raw

const nameCharacter = ({ raw, parent }: AST.Character): Construct | undefined => {
  const isInClass = parent.type === 'CharacterClass' || parent.type === 'CharacterClassRange'
  const isEscape = raw.startsWith('\\')
  if (!isEscape && isInClass) return raw === '[' ? 'bracket-in-class' : undefined
  if (!isEscape) return '{}]'.includes(raw) ? 'bare-bracket' : undefined
  const escaped = raw.slice(1)
  if (ALIKE_EVERYWHERE.test(raw) || SYNTAX_CHARACTERS.includes(escaped)) {
    return escaped === '' ? 'control-escape' : undefined
  }
  if (escaped === '-' && isInClass) return undefined
  if (escaped === 'v' || escaped === 'b') return 'rare-escape'
  if (escaped.startsWith('c')) return 'control-escape'
  if (/^u./.test(escaped)) return 'unicode-escape'
  if (/^[0-7]/.test(escaped)) return 'octal-escape'
  return /^[a-zA-Z0-9]/.test(escaped) ? 'foreign-escape' : 'needless-escape'
}

const findOperator = (raw: string): { at: number; text: string } | undefined => {
  for (const { 0: text, index } of raw.matchAll(/\\.|&&|--|~~/gs)) {
    if (!text.startsWith('\\')) return { at: index, text }
  }
  return undefined
}

/** `[\w-.]`, which `u` rejects: the hyphen is in the position of a range operator. */
const findHyphen = (elements: AST.CharacterClass['elements']): AST.Node | undefined =>
  elements.find((element, at) => {
    const [before, after] = [elements[at - 1], elements[at + 1]]
    const isBeside = before?.type === 'CharacterSet' || after?.type === 'CharacterSet'
    return element.raw === '-' && before !== undefined && after !== undefined && isBeside
  })

/** Syntax that ECMAScript cannot parse is described by the engine that has it, if it is known. */
const findForeign = (
  pattern: string,
  { where, message }: { readonly where: number; readonly message: string },
): readonly Sight[] => {
  const sights: Sight[] = []
  for (const { 0: text, index, groups } of pattern.matchAll(FOREIGN)) {
    const construct = FOREIGN_NAMES.find((name) => groups?.[toGroup(name)] !== undefined)
    if (construct) sights.push({ construct, where: index, text })
  }
  return sights.length > 0 ? sights : [{ construct: 'not-ecma', where, text: message }]
}

const FOREIGN =
  /\\.|(?<atomic_group>\(\?>)|(?<python_group>\(\?P[<=>])|(?<inline_flags>\(\?[a-zA-Z]*(?:-[a-zA-Z]+)?[:)])|(?<foreign_group>\(\?[#|(&R0-9+'])|(?<possessive>[*+?}]\+)/gs

const FOREIGN_NAMES = [
  'atomic-group',
  'python-group',
  'inline-flags',
  'foreign-group',
  'possessive',
] as const satisfies readonly Construct[]

const toGroup = (name: string): string => name.replace('-', '_')

/** Why a construct is not portable, and what to write instead, as a clause after its text. */
const MESSAGES = {
  'digit-set': 'is ASCII in ECMAScript and every script in Python, .NET and Rust: write [0-9]',
  'word-set':
    'is ASCII in ECMAScript and every script in Python, .NET and Rust: write [A-Za-z0-9_]',
  'space-set': 'differs between engines, and is ASCII only in Go and Java: list the characters',
  'word-boundary':
    'matches other positions in Python and .NET, whose words are not only ASCII: write the characters around it',
  'unicode-property': 'is rejected by Python, and other engines have other names: list the ranges',
  lookaround: 'is rejected by Go and Rust: split it into several patterns under allOf',
  'quantified-assertion': 'repeats an assertion, which most engines reject: remove it',
  backreference: 'is rejected by Go and Rust: list the alternatives',
  'named-group': 'is written (?P<name>…) in Python and rejected by older Go: write (…)',
  'inline-flags': 'is rejected by most ECMAScript engines: write both cases as [aA]',
  'control-escape': 'is rejected by Python, Go and Rust: write \\x and two hexadecimal digits',
  'unicode-escape': 'is rejected by Go and PCRE: write the character itself, or \\x and two digits',
  'octal-escape':
    'is rejected by Rust, and by Java unless it starts with \\0: write \\x and two digits',
  'rare-escape':
    'is a character class in Java and PCRE, and rejected by others: write \\x and two digits',
  'needless-escape': 'is rejected with the flag u, and by other engines: remove the \\',
  'foreign-escape':
    'is the letter itself in ECMAScript, rejected with the flag u, and an anchor or a class in other engines: write the intended pattern',
  'bare-bracket':
    'is rejected with the flag u, and a quantifier or an error in other engines: escape it',
  'bracket-in-class': 'opens a nested class in Java and Rust: escape it',
  'class-operator': 'is a set operation in Java or Rust: escape it, or separate it',
  'hyphen-beside-set':
    'is rejected with the flag u and by other engines: escape it, or put it last',
  'empty-class': 'starts a class that contains ] in other engines: write the intended class',
  'large-repeat': 'repeats more than 1000 times, which Go rejects: use minLength and maxLength',
  possessive: 'is possessive in Java and PCRE, and not valid ECMAScript: remove the +',
  'atomic-group': 'is atomic in Java, .NET and PCRE, and not valid ECMAScript: write (…)',
  'python-group': 'is Python syntax, and not valid ECMAScript: write (…)',
  'foreign-group':
    'is not valid ECMAScript, which JSON Schema requires: write the pattern without it',
  'not-ecma': 'makes the pattern invalid in ECMAScript: correct it',
} as const

type Construct = keyof typeof MESSAGES
