import type {
  Api,
  HttpDocument,
  HttpOperation,
  Operation,
  RpcDocument,
  RpcOperation,
} from '../model/api.js'
import type { Day } from '../model/day.js'
import type { FindingDetails, Location, RuleRow } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { httpOperations, rpcOperations } from '../model/operations.js'
import { operationIn } from '../model/path-item.js'
import { enter, itemKind, type NodeContext } from '../read/context.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { type Checker, createChecker } from '../schema/check.js'
import { type Schema, type SchemaObject, subschemas } from '../schema/schema.js'
import { type Source, sourceOf } from '../schema/source.js'

/** Collects the parts of an Api that several rules need, in one pass. */
export function survey(api: Api, today = new Date().toISOString().slice(0, 10)): Survey {
  const documents = [api.http, api.rpc].filter((one) => one !== undefined)
  const everyOperation = [...api.operations, ...api.serverMethods]
  return {
    api,
    today,
    checker: createChecker(api.schemas),
    http: httpOperations(api),
    rpc: rpcOperations(api),
    everyOperation,
    documents,
    written: documents.flatMap(writtenIn),
    schemas: schemasOf(api, everyOperation),
  }
}

/** The operationId of an operation as it is written. */
export function operationIdOf({ path, method }: HttpOperation, { http }: Api): string | undefined {
  const paths = isObject(http?.bundled.paths) ? http.bundled.paths : {}
  const id = operationIn(paths[path], method)?.node.operationId
  return typeof id === 'string' ? id : undefined
}

/** Whether a document is a JSON Schema of messages, which cannot have pairings or components. */
export const isMessageSchema = ({ bundled, sourceOf }: RpcDocument): boolean => {
  const { schemas } = isObject(bundled.components) ? bundled.components : {}
  if (!isObject(schemas)) return false
  const [section] = segmentsOf(sourceOf(schemas).locate().pointer)
  return section === 'definitions' || section === '$defs'
}

export type Survey = {
  readonly api: Api
  readonly today: Day
  readonly checker: Checker
  readonly http: readonly HttpOperation[]
  readonly rpc: readonly RpcOperation[]
  /** The operations, and the methods that the server calls. */
  readonly everyOperation: readonly Operation[]
  readonly documents: readonly (HttpDocument | RpcDocument)[]
  /** Every object of the bundled documents, without those inside examples and other data. */
  readonly written: readonly Written[]
  /** Every normalised schema in a document, once, references included. */
  readonly schemas: readonly WrittenSchema[]
}

export type Written = {
  readonly node: JsonObject
  readonly document: HttpDocument | RpcDocument
  /** An object has defined fields; a map has names that the author chooses. */
  readonly kind: 'object' | 'map'
  /** The section that a reference in this place refers to: `schemas`, `parameters`. */
  readonly section: string | undefined
}

/** The objects of schemas as they are written. */
export function* schemasIn({ written }: Survey): Generator<Written> {
  for (const one of written) {
    if (one.section === 'schemas' && one.kind === 'object') yield one
  }
}

/** The location of an object as it is written, or of a member of it. */
export const locationOf = (
  { node, document }: Written,
  ...members: readonly (string | number)[]
): Location => document.sourceOf(node).locate(...members)

export type WrittenSchema = { readonly schema: SchemaObject; readonly source: Source }

function writtenIn(document: HttpDocument | RpcDocument): readonly Written[] {
  const found: Written[] = []
  const waiting: { readonly value: unknown; readonly context: NodeContext }[] = [
    { value: document.bundled, context: { kind: 'object', section: undefined } },
  ]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { value, context } = one
    const { kind, section } = context
    if (kind === 'data') continue
    if (Array.isArray(value)) {
      for (const item of value) {
        waiting.push({ value: item, context: { ...context, kind: itemKind(context) } })
      }
    } else if (isObject(value)) {
      found.push({ node: value, document, kind, section })
      for (const [key, member] of Object.entries(value)) {
        if (typeof member !== 'object' || member === null) continue
        waiting.push({ value: member, context: enter(context, key, member) })
      }
    }
  }
  return found
}

function schemasOf({ schemas }: Api, operations: readonly Operation[]): readonly WrittenSchema[] {
  const found: WrittenSchema[] = []
  const seen = new WeakSet<object>()
  const waiting: Schema[] = [...schemas.values()].map(({ schema }) => schema)
  for (const operation of operations) {
    if (operation.kind === 'rpc') {
      waiting.push(operation.result.schema, ...operation.params.map(({ schema }) => schema))
      continue
    }
    const { body, responses, parameters } = operation
    const contents = [...(body?.content ?? []), ...responses.flatMap(({ content }) => content)]
    const headers = responses.flatMap((response) => response.headers)
    waiting.push(...[...contents, ...headers, ...parameters].map(({ schema }) => schema))
    waiting.push(...contents.flatMap(({ itemSchema }) => itemSchema ?? []))
  }
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one === 'boolean' || seen.has(one)) continue
    seen.add(one)
    const source = sourceOf(one)
    if (source) found.push({ schema: one, source })
    for (const inner of subschemas(one)) waiting.push(inner)
  }
  return found
}

/** A row of the table of lint rules; its findings get its id and its level. */
export type LintRule = RuleRow & { readonly find: (survey: Survey) => Iterable<FindingDetails> }
