import type { Operation } from '../../model/api.js'
import { type Expression, parseExpression } from '../../model/condition.js'
import { entriesOf, isObject } from '../../model/json.js'
import type { Workflow } from '../../model/workflow.js'
import { segmentsOf } from '../../runtime/shared/pointer.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import { headerOf } from '../../runtime/wire/headers.js'
import type { Schema } from '../../schema/schema.js'
import { tryParseJson } from '../../text/json-text.js'
import { type Exchange, type Sent, textOf } from '../../traffic/exchange.js'
import { NotTested, type Session } from '../case.js'

/** The values that expressions can read at one point of a workflow. */
export type Scope = {
  readonly inputs: JsonObject
  readonly steps: ReadonlyMap<string, JsonObject>
  /** The workflows that this run has completed. */
  readonly workflows: ReadonlyMap<string, WorkflowValues>
  /** An output of this workflow, or of the one that the step called. */
  readonly output: (name: string) => unknown
  /** The last exchange of the step; undefined in a step that calls a workflow. */
  readonly exchange: Exchange | undefined
  /** `path.id` -> the value from the step. */
  readonly parameters: JsonObject
}

export type WorkflowValues = { readonly inputs: JsonObject; readonly outputs: JsonObject }

/**
 * The value of a runtime expression (Arazzo 1.0, Runtime Expressions); undefined if there is none. Throws NotTested if it is
 * invalid, or refers to a part of a document that is not kept.
 */
export const expressionValue = (text: string, scope: Scope): unknown => {
  const expression = parseExpression(text)
  if (!expression) throw new NotTested(`${text} is not a runtime expression of Arazzo`)
  return evaluate(expression, text, scope)
}

/** The value of a parsed expression; `text` is as written in the document. */
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

/** The value of a JSON body, otherwise its text; undefined without a body. */
export const bodyValue = (body: string | Uint8Array | undefined): unknown => {
  if (body === undefined || body.length === 0) return undefined
  const text = textOf(body)
  const parsed = tryParseJson(text)
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
    return within(
      isRequest
        ? bodyValue(sent.body)
        : answer?.value
          ? answer.value.value
          : bodyValue(answer?.body),
      expression,
    )
  const { name } = expression
  if (expression.from === 'header') {
    const headers = isRequest ? Object.entries(sent.headers) : answer?.headers
    return headers && headerOf(headers, name)
  }
  const value = member(parameters, `${expression.from}.${name}`)
  if (value !== undefined || expression.from === 'path') return value
  return new URL(sent.url).searchParams.get(name) ?? undefined
}

type Path = { readonly pointer: string; readonly accessors: readonly string[] }

/** The accessors come before the pointer; for a body, only one of the two is allowed. */
const within = (value: unknown, { pointer, accessors }: Path): unknown =>
  [...accessors, ...segmentsOf(pointer)].reduce(member, value)

/** A member of an object or an item of a list; undefined if the value has none of this name. */
export const member = (value: unknown, key: string): unknown => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(key)) return undefined
  return (value as JsonObject)[key]
}

/** The scope of a workflow, before a step adds its exchange. */
export const scopeOf = (
  { run, workflow, inputs, steps }: Flow,
  met: Partial<Pick<Scope, 'exchange' | 'parameters'>> = {},
  called: JsonObject = {},
): Scope => {
  const scope: Omit<Scope, 'output'> = {
    inputs,
    steps,
    workflows: run.done,
    exchange: met.exchange,
    parameters: met.parameters ?? {},
  }
  const own = (name: string): unknown => {
    const expression = Object.hasOwn(workflow.outputs, name) ? workflow.outputs[name] : undefined
    // An output that refers to another could recurse forever.
    return expression && expressionValue(expression, { ...scope, output: () => undefined })
  }
  return { ...scope, output: (name) => (Object.hasOwn(called, name) ? called[name] : own(name)) }
}

/** Name -> value; undefined if an expression has no value. Throws NotTested like `expressionValue`. */
export const outputsOf = (outputs: Readonly<Record<string, string>>, scope: Scope): JsonObject =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, expression]) => [name, expressionValue(expression, scope)]),
  )

/** The state that all workflows of a run share. */
export type WorkflowRun = {
  readonly session: WorkflowSession
  readonly send: (request: StepRequest, operation: Operation) => Promise<Exchange>
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly operations: ReadonlyMap<string, Operation>
  /** The values of completed workflows, for expressions. */
  readonly done: Map<string, WorkflowValues>
  /** The last exchange of the run; shown if a step cannot be sent. */
  last: Exchange | undefined
  /** The number of steps that the run has taken, retries included. */
  attempts: number
}

/** The members of a session that workflows use. */
export type WorkflowSession = Pick<
  Session,
  'target' | 'checker' | 'cover' | 'deadline' | 'now' | 'sleep'
>

/** The request of a step that calls an operation. */
export type StepRequest = {
  readonly sent: Sent
  /** `path.id` -> value */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The number of requests as a server counts them. */
  readonly cost: number
}

/** The state of one running workflow. */
export type Flow = {
  readonly run: WorkflowRun
  readonly workflow: Workflow
  readonly inputs: JsonObject
  readonly steps: Map<string, JsonObject>
  /** The chain of calling workflows, this one last. */
  readonly trail: readonly string[]
}

/** The inputs of a workflow, with the defaults of its schema for missing ones, or what is wrong with them. */
export const inputsOf = (
  { id, inputs: schema }: Workflow,
  value: JsonObject,
  { checker }: Pick<Session, 'checker'>,
): { readonly inputs: JsonObject; readonly fault?: string } => {
  if (schema === undefined) return { inputs: value }
  const usual = defaultOf(schema)
  const inputs = { ...(isObject(usual) ? usual : {}), ...value }
  const [fault] = checker.schema(schema).explain(inputs)
  if (!fault) return { inputs }
  const where = fault.pointer === '' ? 'the inputs' : `the input ${fault.pointer.slice(1)}`
  return { inputs, fault: `${where} of ${id} ${fault.message}` }
}

/** The default or const of a schema; for objects, those of their members. */
const defaultOf = (schema: Schema): unknown => {
  if (!isObject(schema)) return undefined
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  const parts = Array.isArray(schema.allOf) ? (schema.allOf as readonly Schema[]) : []
  const merged = parts.map(defaultOf).filter(isObject)
  const members = entriesOf(schema.properties)
    .map(([name, member]) => [name, defaultOf(member as Schema)] as const)
    .filter(([, value]) => value !== undefined)
  const all = Object.assign({}, ...merged, Object.fromEntries(members)) as JsonObject
  return Object.keys(all).length === 0 ? undefined : all
}
