import type { HttpOperation, Operation } from '../../model/api.js'
import type { WorkflowStep } from '../../model/workflow.js'
import { isJson } from '../../runtime/shared/media-type.js'
import { templateNames } from '../../runtime/shared/template.js'
import { parseJson } from '../responses/read.js'
import { secretNames, type Target, unsupportedReason } from '../target.js'
import type { Sent } from '../wire/exchange.js'
import { writeHttp } from '../wire/write-http.js'
import { callText, postRpc } from '../wire/write-rpc.js'
import { fill, fillBody } from './fill.js'
import { NotTested } from './not-tested.js'
import type { Scope } from './scope.js'

/**
 * The request of a step that calls an operation, or which of its values no earlier answer has brought. Throws NotTested where
 * nobody told the address or the key.
 */
export const writeStep = (
  step: WorkflowStep,
  operation: Operation,
  target: Target,
  scope: Scope,
): StepRequest | { readonly missing: string } => {
  const { requestBody } = step
  const type = requestBody?.contentType ?? typeOf(operation)
  const body = requestBody && fillBody(requestBody, type, scope)
  if (requestBody && body === undefined) return { missing: String(requestBody.payload) }
  const parameters = Object.fromEntries(
    step.parameters.map(({ name, in: place, value }) => [`${place}.${name}`, fill(value, scope)]),
  )
  if (operation.kind === 'rpc') {
    if (target.rpc === undefined) throw new NotTested(`no address is known for ${operation.method}`)
    const text = body ?? callText(operation.method, [])
    return {
      sent: postRpc(target, text, { 'content-type': type }),
      parameters,
      cost: callsIn(text),
    }
  }
  const why = unsupportedReason(target, operation)
  if (why !== undefined) throw new NotTested(why)
  const empty = templateNames(operation.path).find(
    (name) => parameters[`path.${name}`] === undefined,
  )
  if (empty !== undefined && !isFilled(operation, empty, target))
    return { missing: whatFills(step, empty) }
  const values = body === undefined ? { parameters } : { parameters, body: { type, value: '' } }
  const sent = writeHttp(operation, values, target)
  if (!sent)
    throw new NotTested(
      `${operation.method} ${operation.path} needs credentials that were not given`,
    )
  return { sent: body === undefined ? sent : { ...sent, body }, parameters, cost: 1 }
}

export type StepRequest = {
  readonly sent: Sent
  /** `path.id` -> value */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Requests as a server counts them. */
  readonly cost: number
}

const isFilled = (operation: HttpOperation, name: string, { key }: Target): boolean => {
  if (!secretNames(operation).includes(name)) return false
  if (key === undefined)
    throw new NotTested(`${operation.method} ${operation.path} needs a key, and none was given`)
  return true
}

const whatFills = ({ parameters }: WorkflowStep, name: string): string => {
  const given = parameters.find((one) => one.in === 'path' && one.name === name)
  return given === undefined ? `{${name}} of its path` : String(given.value)
}

/** What a step's body is sent as where it does not say: JSON if the operation takes it. */
const typeOf = (operation: Operation): string => {
  const types =
    operation.kind === 'http' ? (operation.body?.content.map(({ type }) => type) ?? []) : []
  return types.find(isJson) ?? types[0] ?? 'application/json'
}

const callsIn = (text: string): number => {
  const value = parseJson(text)?.value
  return Array.isArray(value) ? Math.max(1, value.length) : 1
}
