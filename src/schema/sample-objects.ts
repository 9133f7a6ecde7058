import type { Witness } from './contain/gap.js'
import { hasDirectionMark } from './direction-marks.js'
import { nodesIn } from './json-values.js'
import { accepts, keywordsOf, madeNode, type Node, type Terms } from './node.js'
import type { Shape } from './shape.js'
import { KEYS, type ObjectView, objectView } from './views.js'

/** Creates objects of a shape from the best values of their properties. */
export function createObjects({ best, style, isFilled }: Parts): Objects {
  function objects(shape: Shape, which: Drafts): readonly unknown[] {
    const { names, allows, required, at } = objectView(shape.parts)
    const bare = objectOf(shape, {})
    const isWritable = (name: string) => !at(name).some(isWriteOnly)
    const full = isFilled() ? objectOf(shape, {}, names.filter(allows).filter(isWritable)) : []
    const most = [full, bare].flatMap((one) => one ?? [])
    if (which === 'plain' && bare && Object.keys(bare).length === required.size) return most
    const filled = names
      .filter(allows)
      .slice(0, MOST_NAMES)
      .flatMap((name) => {
        const found = best(at(name))
        return found ? (objectOf(shape, { [name]: found.value }) ?? []) : []
      })
    return [...most, ...filled]
  }

  function objectOf(
    shape: Shape,
    fixed: Readonly<Record<string, unknown>>,
    wanted: readonly string[] = [],
  ): object | undefined {
    const view = objectView(shape.parts)
    const members = new Map(Object.entries(fixed))
    const put = (name: string): boolean => {
      const found = members.has(name) ? undefined : best(view.at(name))
      if (found) members.set(name, found.value)
      return members.has(name)
    }
    for (const name of view.required) if (!put(name)) return undefined
    for (const part of shape.parts) {
      for (const [name, needs] of Object.entries(keywordsOf(part).dependentRequired ?? {})) {
        if (members.has(name)) for (const need of needs) if (!put(need)) return undefined
      }
    }
    let left = style.mostNodes - nodesIn([...members.values()])
    for (const name of wanted) {
      const found = members.has(name) ? undefined : best(view.at(name))
      const size = found ? nodesIn(found.value) : 0
      if (!found || size > left) continue
      members.set(name, found.value)
      left -= size
    }
    for (const name of view.names) {
      if (members.size >= view.least) break
      if (view.allows(name)) put(name)
    }
    for (let index = 0; members.size < view.least; index++) {
      const name = index > MOST_NAMES ? undefined : anotherName(shape, view, members)
      if (name === undefined || !put(name)) return undefined
    }
    // Optional properties keep the order of their schema.
    const order = wanted.length === 0 ? [] : view.names.filter((name) => members.has(name))
    const entries = [...new Set([...order, ...members.keys()])].map((name) => [
      name,
      members.get(name),
    ])
    const object = Object.fromEntries(entries)
    return nodesIn(object) > style.mostNodes ? undefined : object
  }

  /** An unused name that a map or a pattern allows. */
  function anotherName(
    { parts: [part] }: Shape,
    view: ObjectView,
    present: ReadonlyMap<string, unknown>,
  ): string | undefined {
    const isFree = (name: string) =>
      !present.has(name) &&
      (view.allows(name) || (view.needsOthers && !view.names.includes(name))) &&
      view.nameTerms.every((node) => accepts(node, name))
    const named = KEYS.find(isFree)
    if (named !== undefined || part === undefined) return named
    for (const pattern of view.patterns) {
      const [name] = style.texts([madeNode(part.side, { pattern })], (one) => !isFree(one))
      if (name !== undefined) return name
    }
    return undefined
  }

  return { objects, objectOf }
}

type Parts = {
  /** The best value of some terms; undefined if none is found. */
  readonly best: (terms: Terms) => Witness | undefined
  readonly style: SampleStyle
  /** Whether optional members are added. */
  readonly isFilled: () => boolean
}

type Objects = {
  /** Several objects: without optional properties, with all of them, and with each alone. */
  readonly objects: (shape: Shape, which: Drafts) => readonly unknown[]
  /**
   * An object with the required and the given properties, as many more as `minProperties` requires, and as many wanted ones as
   * the style allows. Undefined if a required one has no value.
   */
  readonly objectOf: (
    shape: Shape,
    fixed: Readonly<Record<string, unknown>>,
    wanted?: readonly string[],
  ) => object | undefined
}

/** Only the plainest values, or others too. */
export type Drafts = 'plain' | 'all'

/** Whether a property is only in requests. */
const isWriteOnly = ({ schema, side }: Node): boolean =>
  hasDirectionMark(schema, side.schemas, 'writeOnly')

const MOST_NAMES = 12

/** Which values are made, and which is the best: the smallest, or the most readable. */
export type SampleStyle = {
  /** The shapes that are tried, in this order. */
  readonly arranged: (shapes: readonly Shape[]) => readonly Shape[]
  /** Texts for the parts of a shape, the best first; `isOut` rejects a text. */
  readonly texts: (parts: Terms, isOut: (text: string) => boolean) => readonly string[]
  readonly numbers: (parts: Terms) => readonly number[]
  /** The values in the schemas themselves: defaults, examples and listed values. */
  readonly written: (terms: Terms) => readonly unknown[]
  /** Whether the first value is the best, and values in schemas are first; otherwise the smallest is the best. */
  readonly isFirst: boolean
  /** Down to this level, objects have their optional properties, and arrays an item. */
  readonly levels: number
  /** The maximum number of values within a value, and of items in an array, for readability. */
  readonly mostNodes: number
  readonly mostItems: number
}
