import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../model/json.js'
import { NotTested } from '../not-tested.js'
import type { Operand, Query, Segment, Selector, Test } from './query.js'

/** The values that a query selects in a value, in their order (RFC 9535, 2.1.2). */
export const selectNodes = (
  query: Query,
  root: unknown,
  current: unknown = root,
): readonly unknown[] =>
  query.segments.reduce<readonly unknown[]>(
    (nodes, segment) => nodes.flatMap((node) => segmentNodes(segment, node, root)),
    [query.from === '$' ? root : current],
  )

const segmentNodes = ({ isDeep, selectors }: Segment, node: unknown, root: unknown): unknown[] => {
  const nodes = isDeep ? [...below(node)] : [node]
  return nodes.flatMap((one) => selectors.flatMap((selector) => selected(selector, one, root)))
}

function* below(node: unknown): Generator<unknown> {
  yield node
  for (const child of childrenOf(node)) yield* below(child)
}

const childrenOf = (node: unknown): readonly unknown[] => {
  if (Array.isArray(node)) return node
  return isObject(node) ? Object.values(node) : []
}

const selected = (selector: Selector, node: unknown, root: unknown): readonly unknown[] => {
  switch (selector.kind) {
    case 'all':
      return childrenOf(node)
    case 'filter':
      return childrenOf(node).filter((child) => passes(selector.test, child, root))
    case 'index': {
      if (!Array.isArray(node)) return []
      const index = selector.index < 0 ? node.length + selector.index : selector.index
      return Object.hasOwn(node, index) ? [node[index]] : []
    }
    case 'slice':
      return Array.isArray(node) ? sliced(node, selector) : []
    case 'name': {
      const { name } = selector
      if (Array.isArray(node) && name === 'length')
        throw new NotTested(
          'it asks for the length of a list as a member, as no JSONPath of RFC 9535 does',
        )
      return isObject(node) && Object.hasOwn(node, name) ? [node[name]] : []
    }
  }
}

/** RFC 9535, 2.3.4.2.2. */
const sliced = (
  list: readonly unknown[],
  { start, end, step }: Extract<Selector, { kind: 'slice' }>,
): readonly unknown[] => {
  const { length } = list
  const placed = (index: number) => (index < 0 ? length + index : index)
  const bounded = (index: number, least: number, most: number) =>
    Math.min(Math.max(placed(index), least), most)
  const found: unknown[] = []
  if (step > 0) {
    const last = bounded(end ?? length, 0, length)
    for (let at = bounded(start ?? 0, 0, length); at < last; at += step) found.push(list[at])
  } else if (step < 0) {
    const last = end === undefined ? -1 : bounded(end, -1, length - 1)
    const first = start === undefined ? length - 1 : bounded(start, -1, length - 1)
    for (let at = first; at > last; at += step) found.push(list[at])
  }
  return found
}

const passes = (test: Test, node: unknown, root: unknown): boolean => {
  switch (test.kind) {
    case 'or':
      return passes(test.left, node, root) || passes(test.right, node, root)
    case 'and':
      return passes(test.left, node, root) && passes(test.right, node, root)
    case 'not':
      return !passes(test.of, node, root)
    case 'some':
      return test.of.kind === 'query'
        ? selectNodes(test.of.query, root, node).length > 0
        : operandValue(test.of, node, root) === true
    case 'compare': {
      const [left, right] = [test.left, test.right].map((one) => operandValue(one, node, root))
      return compares(test.operator, left, right)
    }
  }
}

/** RFC 9535, 2.3.5.2.2: strictly by type; nothing equals nothing alone. */
const compares = (
  operator: Extract<Test, { kind: 'compare' }>['operator'],
  left: unknown,
  right: unknown,
): boolean => {
  const isSame = isDeepStrictEqual(left, right)
  if (operator === '==') return isSame
  if (operator === '!=') return !isSame
  if (isSame && operator.endsWith('=')) return true
  const areAlike =
    typeof left === typeof right && (typeof left === 'number' || typeof left === 'string')
  if (!areAlike) return false
  return operator.startsWith('<')
    ? (left as string) < (right as string)
    : (left as string) > (right as string)
}

/** Undefined is the special result Nothing. */
const operandValue = (operand: Operand, node: unknown, root: unknown): unknown => {
  if (operand.kind === 'literal') return operand.value
  if (operand.kind === 'query') return selectNodes(operand.query, root, node)[0]
  const [first, second] = operand.given
  const nodes = first?.kind === 'query' ? selectNodes(first.query, root, node) : []
  switch (operand.name) {
    case 'count':
      return nodes.length
    case 'value':
      return nodes.length === 1 ? nodes[0] : undefined
    case 'length':
      return lengthOf(first && operandValue(first, node, root))
    default: {
      const [text, pattern] = [first, second].map((one) => one && operandValue(one, node, root))
      if (typeof text !== 'string' || typeof pattern !== 'string') return false
      return expressionOf(operand.name === 'match' ? `^(?:${pattern})$` : pattern).test(text)
    }
  }
}

/** Of a text in characters, and not in halves of them. */
const lengthOf = (value: unknown): number | undefined => {
  if (typeof value === 'string') return [...value].length
  if (Array.isArray(value)) return value.length
  return isObject(value) ? Object.keys(value).length : undefined
}

const expressionOf = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    throw new NotTested(`the regular expression ${pattern} cannot be read`)
  }
}
