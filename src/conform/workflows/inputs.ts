import type { JsonObject } from '../../model/api.js'
import { entriesOf, isObject } from '../../model/json.js'
import type { Workflow } from '../../model/workflow.js'
import type { Schema } from '../../schema/schema.js'
import type { Session } from '../case.js'

/** The inputs of a workflow, the defaults of its schema where nothing was given, or what is wrong with them. */
export const inputsOf = (
  { id, inputs: schema }: Workflow,
  given: JsonObject,
  { checker }: Pick<Session, 'checker'>,
): { readonly inputs: JsonObject; readonly fault?: string } => {
  if (schema === undefined) return { inputs: given }
  const usual = defaultOf(schema)
  const inputs = { ...(isObject(usual) ? usual : {}), ...given }
  const [fault] = checker.schema(schema).explain(inputs)
  if (!fault) return { inputs }
  const where = fault.pointer === '' ? 'the inputs' : `the input ${fault.pointer.slice(1)}`
  return { inputs, fault: `${where} of ${id} ${fault.message}` }
}

/** What a schema says a value is where nobody gives one; members of objects too. */
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
