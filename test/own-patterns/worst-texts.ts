import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Makes a text of a number of characters. */
export type WorstText = (length: number) => string

/**
 * Texts that make a backtracking matcher work: what is before each repetition of the pattern, what it repeats many
 * times, and an end that does not match.
 */
export function worstTexts(source: string, flags: string): readonly WorstText[] {
  const tree = new RegExpParser().parsePattern(source, undefined, undefined, {
    unicode: flags.includes('u'),
  })
  const letters = lettersOf(source, flags)
  const texts = new Map<string, WorstText>()
  const add = (before: string, repeated: string, end: string): void => {
    if (repeated === '') return
    texts.set(JSON.stringify([before, repeated, end]), (length) => {
      const rest = length - before.length - end.length
      return before + repeated.repeat(Math.max(0, Math.floor(rest / repeated.length))) + end
    })
  }
  const ends = ['', '\0', '\n', '\0\n\0', ...letters.slice(0, 2)]
  for (const { before, bodies } of loopsOf(tree, letters, flags)) {
    for (const body of bodies) {
      for (const end of ends) add(before, body, end)
      add('\0', body, '\0')
      add('', before + body, '\0')
      add('', before + body, '\n')
      // A way into the repetition that opens once more at each step.
      for (const other of bodies.slice(0, 3)) if (other !== body) add(before, body + other, '\0')
    }
    add('', before, '\0')
  }
  for (const one of [...letters, ...COMMON]) add('', one, '\0')
  return [...texts.values()]
}

const COMMON = [
  'a-',
  'a.',
  '/a',
  '//',
  ' ',
  '\t',
  '\n',
  '\r\n',
  'a',
  '0',
  '-',
  '.',
  '"',
  "'",
  '\\',
  '\\"',
  '[',
  '{',
  '(',
  '<',
  '`',
  '~',
]

type Loop = {
  /** A shortest text that leads from the start of the pattern to the repetition. */
  readonly before: string
  /** Texts that one round of the repetition can read. */
  readonly bodies: readonly string[]
}

/** Each part that repeats more often than `OFTEN`. */
const loopsOf = (tree: AST.Pattern, letters: readonly string[], flags: string): readonly Loop[] => {
  const loops: Loop[] = []
  const visit = (node: AST.Element | AST.Alternative | AST.Pattern, before: string): void => {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        for (const alternative of node.alternatives) visit(alternative, before)
        return
      case 'Assertion':
        if (node.kind === 'lookahead' || node.kind === 'lookbehind')
          for (const alternative of node.alternatives) visit(alternative, before)
        return
      case 'Alternative': {
        let so = before
        for (const element of node.elements) {
          visit(element, so)
          so += shortest(element, letters, flags)
        }
        return
      }
      case 'Quantifier':
        if (node.max > OFTEN)
          loops.push({
            before,
            bodies: bodiesOf(node.element, letters, flags).slice(0, MOST_BODIES),
          })
        visit(node.element, before)
        return
      default:
        return
    }
  }
  visit(tree, '')
  return loops
}

const OFTEN = 20
const MOST_BODIES = 8

/** Different texts that an element matches: one for each alternative, and several characters of a class. */
const bodiesOf = (
  node: AST.Element,
  letters: readonly string[],
  flags: string,
): readonly string[] => {
  if (node.type === 'Group' || node.type === 'CapturingGroup') {
    return node.alternatives.flatMap((alternative) => {
      const only = alternative.elements.length === 1 ? alternative.elements[0] : undefined
      if (only) return bodiesOf(only, letters, flags)
      const [first] = alternative.elements
      const whole = textOfAlternative(alternative, letters, flags)
      const rest = alternative.elements
        .slice(1)
        .map((one) => shortest(one, letters, flags))
        .join('')
      const others = first ? bodiesOf(first, letters, flags).map((one) => one + rest) : []
      return [whole, ...others]
    })
  }
  if (node.type === 'Quantifier') return bodiesOf(node.element, letters, flags)
  if (isOneCharacter(node)) return charactersOf(node, letters, flags)
  return [shortest(node, letters, flags)]
}

const shortest = (node: AST.Element, letters: readonly string[], flags: string): string => {
  switch (node.type) {
    case 'Quantifier':
      return shortest(node.element, letters, flags).repeat(node.min)
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives
        .map((alternative) => textOfAlternative(alternative, letters, flags))
        .reduce((one, other) => (other.length < one.length ? other : one))
    case 'Assertion':
      return node.kind === 'lookbehind' && !node.negate
        ? node.alternatives
            .map((alternative) => textOfAlternative(alternative, letters, flags))
            .reduce((one, other) => (other.length < one.length ? other : one))
        : ''
    case 'Backreference':
      return ''
    default:
      return isOneCharacter(node) ? (charactersOf(node, letters, flags)[0] ?? '') : ''
  }
}

const textOfAlternative = (
  { elements }: AST.Alternative,
  letters: readonly string[],
  flags: string,
): string => elements.map((element) => shortest(element, letters, flags)).join('')

type OneCharacter = AST.Character | AST.CharacterClass | AST.CharacterSet

const isOneCharacter = (node: AST.Element): node is OneCharacter =>
  node.type === 'Character' || node.type === 'CharacterClass' || node.type === 'CharacterSet'

const charactersOf = (
  node: OneCharacter,
  letters: readonly string[],
  flags: string,
): readonly string[] => {
  if (node.type === 'Character') return [String.fromCodePoint(node.value)]
  const one = new RegExp(`^(?:${node.raw})$`, flags.replaceAll(/[gym]/g, ''))
  const found = [...'a0', ...letters, ...OTHERS].filter((letter) => one.test(letter))
  return [...new Set(found)]
}

/** Members of the classes that no pattern names. */
const OTHERS = [...'AZ_-. \t\n\r\0/:"\'\\é😀', '\ufdd0', '\u200b']

/** The characters that a pattern names, and some that its classes contain. */
const lettersOf = (source: string, flags: string): readonly string[] => {
  const named = source
    .replaceAll(/\\u\{?([\da-f]{2,6})\}?|\\x([\da-f]{2})/gi, (_, long?: string, short?: string) =>
      String.fromCodePoint(Number.parseInt(long ?? short ?? '20', 16)),
    )
    .replaceAll('\\n', '\n')
  const seen = new Set([...named].filter((letter) => !/[\\^$()?*+|]/.test(letter)))
  const symbols = [...named].filter((letter) => /[\\^$()?*+|]/.test(letter))
  return [
    ...new Set([
      ...[...seen].filter((one) => !/\w/.test(one)),
      ...symbols,
      ...[...seen].slice(0, 12),
    ]),
  ].slice(0, flags.includes('u') ? 24 : 24)
}
