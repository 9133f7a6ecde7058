import { type AST, RegExpParser } from '@eslint-community/regexpp'

/**
 * The source of a pattern without the flags i, s, m and y, whose time grows as that of the original: `patternGrowth` reads
 * sources only. The beginning of a line, and a character that may not stand before, become a character that is read first.
 */
export function plainSource(source: string, flags: string): string {
  const tree = new RegExpParser().parsePattern(source, undefined, undefined, {
    unicode: flags.includes('u'),
  })
  const write = (node: AST.Element): string => {
    switch (node.type) {
      case 'Quantifier':
        return write(node.element) + node.raw.slice(node.element.raw.length)
      case 'Group':
        return `(?:${alternatives(node)})`
      case 'CapturingGroup':
        return `(${alternatives(node)})`
      case 'Assertion':
        return assertion(node)
      case 'Character':
        return flags.includes('i') ? inBothCases(node) : node.raw
      case 'CharacterClass':
        return flags.includes('i') ? classInBothCases(node) : node.raw
      case 'CharacterSet':
        return node.kind === 'any' && flags.includes('s') ? '[^]' : node.raw
      default:
        return node.raw
    }
  }
  const alternatives = ({ alternatives }: { readonly alternatives: AST.Alternative[] }): string =>
    alternatives.map(({ elements }) => elements.map(write).join('')).join('|')
  const assertion = (node: AST.Assertion): string => {
    if (node.kind === 'word') return node.raw
    if (node.kind === 'start') return flags.includes('m') ? `(?:^|${LINE_END})` : node.raw
    if (node.kind === 'end') return flags.includes('m') ? `(?:$|(?=${LINE_END}))` : node.raw
    if (node.kind !== 'lookahead' && node.kind !== 'lookbehind') return ''
    const before = node.kind === 'lookbehind' ? characterBefore(node) : undefined
    if (before !== undefined) return before
    const sign = `${node.kind === 'lookahead' ? '' : '<'}${node.negate ? '!' : '='}`
    return `(?${sign}${alternatives(node)})`
  }
  const whole = alternatives(tree)
  return flags.includes('y') ? `^(?:${whole})` : whole
}

const LINE_END = '[\\n\\r\\u2028\\u2029]'

/** `(?<![a-z])` at the beginning of an alternative of the whole pattern, as the character before it. */
const characterBefore = (node: AST.LookbehindAssertion): string | undefined => {
  const isFirst =
    node.parent.type === 'Alternative' &&
    node.parent.elements[0] === node &&
    node.parent.parent.type === 'Pattern'
  const [only, ...others] = node.alternatives.flatMap(({ elements }) => elements)
  if (!isFirst || others.length > 0 || only === undefined) return undefined
  if (!node.negate) return undefined
  if (only.type === 'Character') return `(?:^|[^${only.raw}])`
  if (only.type === 'CharacterSet' && only.raw.startsWith('\\')) return `(?:^|[^${only.raw}])`
  if (only.type === 'CharacterClass' && !only.negate) return `(?:^|[^${only.raw.slice(1)})`
  return undefined
}

const otherCase = (code: number): string | undefined => {
  const letter = String.fromCodePoint(code)
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return other !== letter && other.length === letter.length ? other : undefined
}

const inBothCases = ({ raw, value }: AST.Character): string => {
  const other = otherCase(value)
  return other === undefined ? raw : `[${raw}${other}]`
}

const classInBothCases = ({ raw, elements }: AST.CharacterClass): string => {
  const others = elements.map((element) => {
    if (element.type === 'Character') return otherCase(element.value) ?? ''
    if (element.type !== 'CharacterClassRange') return ''
    const codes = Array.from(
      { length: Math.min(element.max.value, 0x17f) - element.min.value + 1 },
      (_, index) => element.min.value + index,
    )
    return codes
      .map((code) => (/[a-z]/i.test(String.fromCodePoint(code)) ? otherCase(code) : ''))
      .join('')
  })
  const open = raw.startsWith('[^') ? 2 : 1
  return raw.slice(0, open) + others.join('') + raw.slice(open)
}
