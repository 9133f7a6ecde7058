import { escaping } from '../patterns/language.js'
import { asserted, keywordsOf, type Node, resolved } from './node.js'
import { isEmptyRange, rangeOf } from './number-range.js'
import { stringTerms } from './string-view.js'
import type { Work } from './work.js'

/** Bounds and patterns of several branches may cover together what none does alone. */
export function coveredTogether({ shape }: Work, nodes: readonly Node[]): boolean {
  const plain = nodes.map(resolved).filter((node) => isPlain(node, shape.type))
  if (shape.type === 'string') {
    if (shape.nots.length > 0 && plain.length === 0) return false
    return (
      escaping(
        stringTerms(shape.parts),
        plain.map((node) => stringTerms([node])),
      ).kind === 'none'
    )
  }
  if (shape.type !== 'number') return false
  let left = rangeOf(shape.parts)
  const ranges = plain
    .map((node) => rangeOf([node]))
    .filter(({ steps }) => steps.every((step) => left.steps.includes(step)))
    .toSorted((a, b) => a.low - b.low || Number(a.isLowOpen) - Number(b.isLowOpen))
  for (const range of ranges) {
    const isReached =
      range.low < left.low || (range.low === left.low && (!range.isLowOpen || left.isLowOpen))
    if (!isReached || range.high < left.low) continue
    const isMore = range.high > left.low || (range.high === left.low && !range.isHighOpen)
    if (isMore) left = { ...left, low: range.high, isLowOpen: !range.isHighOpen }
    if (isEmptyRange(left) || left.low === Number.POSITIVE_INFINITY) return true
    // Between two integers there is none.
    if (left.steps.includes(1) && left.isLowOpen)
      left = { ...left, low: Math.floor(left.low) + 1, isLowOpen: false }
    if (isEmptyRange(left)) return true
  }
  return false
}

const isPlain = (node: Node, type: 'string' | 'number' | string): boolean =>
  typeof node.schema === 'object' &&
  allows(node, type) &&
  asserted(keywordsOf(node)).every((key) => (PLAIN[type] ?? []).includes(key))

const allows = (node: Node, type: string): boolean => {
  const given = keywordsOf(node).type ?? type
  const names: readonly string[] = typeof given === 'string' ? [given] : given
  return names.includes(type) || (type === 'number' && names.includes('integer'))
}

const PLAIN: Readonly<Record<string, readonly string[]>> = {
  string: ['type', 'minLength', 'maxLength', 'pattern'],
  number: ['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}
