import type { HttpOperation, Operation } from '../../model/api.js'
import { expressionsIn } from '../../model/condition.js'
import type { MediaType } from '../../model/http-content.js'
import { define, isObject } from '../../model/json.js'
import type { WorkflowStep } from '../../model/workflow.js'
import { codecOf } from '../../runtime/shared/codecs.js'
import { segmentsOf } from '../../runtime/shared/pointer.js'
import { templateNames } from '../../runtime/shared/template.js'
import { declaredContent } from '../../runtime/wire/content.js'
import { writeBody } from '../../runtime/wire/write-body.js'
import { tryParseJson } from '../../text/json-text.js'
import { NotTested } from '../case.js'
import { secretNames, type Target, unsupportedReason } from '../target.js'
import { callText, postRpc, writeHttp } from '../wire/write-request.js'
import { expressionValue, member, type Scope, type StepRequest } from './scope.js'

/**
 * The request of a step that calls an operation, or the value that is missing from earlier responses. Throws NotTested if the
 * address or the key is unknown.
 */
export const writeStep = (
  step: WorkflowStep,
  operation: Operation,
  target: Target,
  scope: Scope,
): StepRequest | { readonly missing: string } => {
  const { requestBody } = step
  const content = operation.kind === 'http' ? (operation.body?.content ?? []) : []
  const type = requestBody?.contentType ?? usualType(content)
  const body = requestBody && fillBody(requestBody, { type, content }, scope)
  if (requestBody && body === undefined) return { missing: String(requestBody.payload) }
  const parameters = Object.fromEntries(
    step.parameters.map(({ name, in: place, value }) => [`${place}.${name}`, fill(value, scope)]),
  )
  if (operation.kind === 'rpc') {
    if (target.rpc === undefined) throw new NotTested(`no URL is known for ${operation.method}`)
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

const isFilled = (operation: HttpOperation, name: string, { key }: Target): boolean => {
  if (!secretNames(operation).includes(name)) return false
  if (key === undefined)
    throw new NotTested(`${operation.method} ${operation.path} needs a key, and none was given`)
  return true
}

const whatFills = ({ parameters }: WorkflowStep, name: string): string => {
  const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
  return parameter === undefined ? `{${name}} of its path` : String(parameter.value)
}

/** The default media type of a step's body: JSON if the operation accepts it. */
const usualType = (content: readonly MediaType[]): string => {
  const own = content.find(({ codec }) => codec === 'json') ?? content[0]
  return own?.type ?? 'application/json'
}

const callsIn = (text: string): number => {
  const value = tryParseJson(text)?.value
  return Array.isArray(value) ? Math.max(1, value.length) : 1
}

/** A value with its expressions replaced. Members whose expression has no value are omitted. */
export const fill = (value: unknown, scope: Scope): unknown => {
  if (typeof value === 'string') return fillText(value, scope, plain)
  if (Array.isArray(value)) return value.map((item) => fill(item, scope) ?? null)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([key, item]) => [key, fill(item, scope)] as const)
  return Object.fromEntries(members.filter(([, item]) => item !== undefined))
}

/** The body on the wire; undefined if an expression has no value. */
const fillBody = (
  { payload, replacements }: NonNullable<WorkflowStep['requestBody']>,
  sent: { readonly type: string; readonly content: readonly MediaType[] },
  scope: Scope,
): string | undefined => {
  const isText = typeof payload === 'string' && !isWhole(payload)
  // A string is the body itself (Arazzo 1.0, Request Body Object): JSON with embedded expressions stays JSON.
  const filled = isText
    ? fillText(payload, scope, codecOf(sent.type) === 'json' ? inJson : plain)
    : fill(payload, scope)
  if (filled === undefined) return undefined
  if (replacements.length === 0) return isText ? String(filled) : written(filled, sent)
  const whole = isText ? tryParseJson(String(filled))?.value : filled
  const replaced = replacements.reduce<unknown>(
    (value, { target, value: next }) => put(value, target, fill(next, scope)),
    whole,
  )
  return written(replaced, sent)
}

const isWhole = (text: string): boolean => expressionsIn(text)[0] === text

const fillText = (text: string, scope: Scope, write: (value: unknown) => string): unknown => {
  if (isWhole(text)) return expressionValue(text, scope)
  return text.replace(/\{(\$[^{}]*)\}/g, (_, expression: string) =>
    write(expressionValue(expression, scope)),
  )
}

const plain = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** The quotes around a string are in the template. */
const inJson = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : plain(value)

const written = (
  value: unknown,
  { type, content }: { readonly type: string; readonly content: readonly MediaType[] },
): string => {
  const codec = codecOf(type)
  if (codec === 'json') return JSON.stringify(value)
  if (typeof value === 'string') return value
  if (codec === 'form' && isObject(value)) {
    const encoding = declaredContent(content, type)?.encoding ?? {}
    return String(writeBody(value, { type, codec, encoding }).body)
  }
  throw new NotTested(`its payload cannot be written as ${type}: write it as a string`)
}

const put = (whole: unknown, target: string, value: unknown): unknown => {
  if (target !== '' && !target.startsWith('/'))
    throw new NotTested(`the replacement ${target} is not a JSON pointer`)
  const copy: unknown = structuredClone(whole)
  const segments = segmentsOf(target)
  const last = segments.at(-1)
  if (last === undefined) return value
  const parent = segments.slice(0, -1).reduce(member, copy)
  if (typeof parent !== 'object' || parent === null)
    throw new NotTested(`the replacement ${target} does not exist in the payload`)
  if (Array.isArray(parent)) parent[last === '-' ? parent.length : Number(last)] = value
  else define(parent as Record<string, unknown>, last, value)
  return copy
}
