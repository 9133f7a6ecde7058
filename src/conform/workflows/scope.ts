import type { JsonObject } from '../../model/api.js'
import { type Expression, parseExpression } from '../../model/arazzo/condition.js'
import { segmentsOf } from '../../model/pointer.js'
import { NotTested } from '../case.js'
import { parseJson } from '../responses/read.js'
import { type Exchange, headerOf, textOf } from '../wire/exchange.js'

/** What expressions see at one moment of a workflow. */
export type Scope = {
  readonly inputs: JsonObject
  /** The outputs of the steps that were run, by step. */
  readonly steps: ReadonlyMap<string, JsonObject>
  /** Workflows that this run has been through. */
  readonly workflows: ReadonlyMap<string, WorkflowValues>
  /** An output of this workflow, or of the one that the step has called. */
  readonly output: (name: string) => unknown
  /** The last one of the step; undefined in a step that calls a workflow. */
  readonly exchange: Exchange | undefined
  /** `path.id` -> value, as the step gave it. */
  readonly parameters: JsonObject
}

export type WorkflowValues = { readonly inputs: JsonObject; readonly outputs: JsonObject }

/**
 * The value of a runtime expression (Arazzo 1.0, Runtime Expressions); undefined where it leads to nothing. Throws NotTested
 * where it cannot be read, or names what is not kept of a document.
 */
export const valueAt = (text: string, scope: Scope): unknown => {
  const expression = parseExpression(text)
  if (!expression) throw new NotTested(`${text} is no runtime expression of Arazzo`)
  return evaluate(expression, text, scope)
}

/** The same for an expression that was read already; `text` is how the document has it. */
export const evaluate = (expression: Expression, text: string, scope: Scope): unknown => {
  const { exchange, inputs, steps, workflows } = scope
  switch (expression.kind) {
    case 'url':
      return exchange?.sent.url
    case 'method':
      return exchange?.sent.method
    case 'statusCode':
      return exchange?.answer?.status
    case 'request':
    case 'response':
      return partOf(expression, scope)
    case 'inputs':
      return within(member(inputs, expression.name), expression)
    case 'outputs':
      return within(scope.output(expression.name), expression)
    case 'steps':
      return within(member(steps.get(expression.id), expression.name), expression)
    case 'workflows': {
      const known = workflows.get(expression.id)
      return within(member(known?.[expression.of], expression.name), expression)
    }
    default:
      throw new NotTested(`${text} names a part of a document, which is not known in a run`)
  }
}

/** JSON as its value, and all else as its text; undefined without a body. */
export const bodyValue = (body: string | Uint8Array | undefined): unknown => {
  if (body === undefined || body.length === 0) return undefined
  const text = textOf(body)
  const parsed = parseJson(text)
  return parsed ? parsed.value : text
}

const partOf = (
  expression: Extract<Expression, { kind: 'request' | 'response' }>,
  { exchange, parameters }: Scope,
): unknown => {
  if (!exchange) return undefined
  const { sent, answer } = exchange
  const isRequest = expression.kind === 'request'
  if (expression.from === 'body')
    return within(bodyValue(isRequest ? sent.body : answer?.body), expression)
  const { name } = expression
  if (expression.from === 'header') {
    const fields = isRequest ? { headers: Object.entries(sent.headers) } : answer
    return fields && headerOf(fields, name)
  }
  const given = member(parameters, `${expression.from}.${name}`)
  if (given !== undefined || expression.from === 'path') return given
  return new URL(sent.url).searchParams.get(name) ?? undefined
}

type Path = { readonly pointer: string; readonly accessors: readonly string[] }

/** The accessors stand before the pointer, but for a body, where only one of the two can stand. */
const within = (value: unknown, { pointer, accessors }: Path): unknown =>
  [...accessors, ...segmentsOf(pointer)].reduce(member, value)

const member = (value: unknown, key: string): unknown => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(key)) return undefined
  return (value as JsonObject)[key]
}
