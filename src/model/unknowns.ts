import type { JsonObject } from '../runtime/validate/json-value.js'
import type { Api } from './api.js'
import { isObject } from './json.js'

/** Every `x-not-shown` of both bundled documents, in document order. */
export function unknownsOf(api: Api): readonly Unknown[] {
  const found: Unknown[] = []
  const place: string[] = []
  const names: string[] = []
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const { 'x-not-shown': notShown, 'x-assumption': assumption } = value as Record<string, unknown>
    if (isObject(value) && typeof notShown === 'string') {
      const assumed = typeof assumption === 'string' ? assumption : undefined
      found.push({
        notShown,
        assumption: assumed,
        place: [...place],
        names: [...names],
        holder: value,
      })
    }
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'object') continue
      place.push(name)
      names.push((Array.isArray(value) && calledOf(member)) || name)
      visit(member)
      place.pop()
      names.pop()
    }
  }
  for (const kind of ['http', 'rpc'] as const) {
    place.splice(0, place.length, kind)
    names.splice(0, names.length, kind)
    visit(api[kind]?.bundled)
  }
  return found
}

/** The name of a member of a list, if it has one. */
const calledOf = (member: unknown): string | undefined => {
  const { name, 'x-name': own } = (member ?? {}) as Record<string, unknown>
  return [name, own].find((one) => typeof one === 'string')
}

export type Unknown = {
  /** The open question. */
  readonly notShown: string
  /** The assumption that replaces the answer, with its reason. */
  readonly assumption: string | undefined
  /** `http` or `rpc`, then the path to it: `['rpc', 'methods', '3', 'params', '0']`. */
  readonly place: readonly string[]
  /** The same path with members of lists by name: `['rpc', 'methods', 'eth_call', 'params', 'block']`. */
  readonly names: readonly string[]
  /** The object that contains it. */
  readonly holder: JsonObject
}
