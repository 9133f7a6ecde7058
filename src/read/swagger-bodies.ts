import type { WarnAt } from '../model/finding.js'
import { entriesOf, isObject } from '../model/json.js'
import { pointerOf, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'

/**
 * Moves parameters that are a body, or a part of one, into the operations: the converter loses shared ones, and those of a path
 * item below its operations. It also loses all but one body, so the others are reported.
 */
export function inlineBodies(swagger: Record<string, unknown>, warn: WarnAt): void {
  const shared = isRecord(swagger.parameters) ? swagger.parameters : {}
  const inlined = (parameters: unknown, pointer: string): readonly Placed[] => {
    return (Array.isArray(parameters) ? parameters : []).map((one: unknown, index) => {
      const reference = isObject(one) && typeof one.$ref === 'string' ? one.$ref : ''
      const [section, name = ''] = reference.startsWith('#') ? segmentsOf(reference.slice(1)) : []
      const known = section === 'parameters' && Object.hasOwn(shared, name) && shared[name]
      const value = isBodyPart(known) ? structuredClone(known) : one
      return { value, pointer: `${pointer}${pointerOf(String(index))}` }
    })
  }
  for (const [path, item] of entriesOf(swagger.paths)) {
    if (!isRecord(item)) continue
    const common = inlined(item.parameters, pointerOf('paths', path, 'parameters'))
    const bodies = common.filter(isPart)
    if (bodies.length > 0)
      item.parameters = common.filter((one) => !isPart(one)).map(({ value }) => value)
    for (const [method, operation] of entriesOf(item)) {
      if (!SWAGGER_METHODS.has(method) || !isRecord(operation)) continue
      const own = inlined(operation.parameters, pointerOf('paths', path, method, 'parameters'))
      const isOverridden = ({ value: body }: Part) =>
        own.some((one) => isPart(one) && (one.value.in === 'body' || one.value.name === body.name))
      const inherited = bodies
        .filter((one) => !isOverridden(one))
        .map(({ value, pointer }) => ({ value: structuredClone(value), pointer }))
      const all = withOneBody([...own, ...inherited], warn)
      if (all.length > 0) operation.parameters = all.map(({ value }) => value)
    }
  }
  for (const [name, one] of Object.entries(shared)) if (isBodyPart(one)) delete shared[name]
}

type Placed = { readonly value: unknown; readonly pointer: string }

type Part = { readonly value: JsonObject; readonly pointer: string }

const isPart = (one: Placed): one is Part => isBodyPart(one.value)

/** The parameters without bodies beside the first, or beside a form. */
function withOneBody(all: readonly Placed[], warn: WarnAt): readonly Placed[] {
  const parts = all.filter(isPart)
  const kept = parts.find(({ value }) => value.in === 'formData') ?? parts[0]
  if (kept === undefined) return all
  return all.filter((one) => {
    const isForm = kept.value.in === 'formData'
    if (!isPart(one) || one === kept || (isForm && one.value.in === 'formData')) return true
    const read = isForm ? `the form with ${kept.value.name}` : `the body ${kept.value.name}`
    const isChoice = isForm || one.value.in === 'formData'
    const hint = isChoice ? 'remove one of them' : 'describe both in one schema'
    const message = `the parameter ${one.value.name} is ignored, because a request has only one body, and ${read} is read: ${hint}`
    warn('parameter-is-duplicate', one.pointer, message)
    return false
  })
}

const isBodyPart = (parameter: unknown): parameter is JsonObject =>
  isObject(parameter) && (parameter.in === 'body' || parameter.in === 'formData')

export const SWAGGER_METHODS: ReadonlySet<string> = new Set(
  'get put post delete options head patch'.split(' '),
)

/** The document is a copy, so it may be modified. */
export const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value)
