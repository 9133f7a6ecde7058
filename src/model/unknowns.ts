import type { Api, JsonObject } from './api.js'
import { isObject } from './json.js'

/** Every `x-not-shown` of both bundled documents, in their order, wherever it stands. */
export function unknownsOf(api: Api): readonly Unknown[] {
  const found: Unknown[] = []
  const place: string[] = []
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const { 'x-not-shown': notShown, 'x-assumption': assumption } = value as Record<string, unknown>
    if (isObject(value) && typeof notShown === 'string') {
      const assumed = typeof assumption === 'string' ? assumption : undefined
      found.push({ notShown, assumption: assumed, place: [...place], holder: value })
    }
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'object') continue
      place.push(name)
      visit(member)
      place.pop()
    }
  }
  for (const kind of ['http', 'rpc'] as const) {
    place.splice(0, place.length, kind)
    visit(api[kind]?.bundled)
  }
  return found
}

export type Unknown = {
  /** What is left open. */
  readonly notShown: string
  /** What was chosen there, and why. */
  readonly assumption: string | undefined
  /** `http` or `rpc`, then the keys that lead to it: `['rpc', 'methods', '3', 'params', '0']`. */
  readonly place: readonly string[]
  /** What says it. */
  readonly holder: JsonObject
}
