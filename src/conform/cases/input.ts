import type { Api, HttpOperation, Operation, RpcOperation } from '../../model/api.js'
import { type HttpParameter, hasJsonValue } from '../../model/http-content.js'
import { parametersSchema, sentParametersSchema } from '../../model/params.js'
import { parameterValue } from '../../model/sample-request.js'
import { cached } from '../../runtime/shared/cached.js'
import { holdsValue } from '../../runtime/shared/codecs.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { serializeParameter, sharedDelimiter } from '../../runtime/wire/serialize.js'
import type { Checker } from '../../schema/check.js'
import { type Making, samplesOf } from '../../schema/random.js'
import { createSampler, type Sampler } from '../../schema/readable.js'
import { dereference, type Schema } from '../../schema/schema.js'
import type { Plan, VariedInput } from '../case.js'
import { ownName } from '../operations.js'
import { unsupportedReason } from '../target.js'
import { declaredKeywords } from '../values/trials.js'
import { callText, type HttpValues, postRpc, writeHttp } from '../wire/write-request.js'
import { formInputs, listReadings, readingsOf } from './form-input.js'

/** All parts of an operation's requests that can be varied; none if it is unreachable or its key is missing. */
export const variedInputs = (
  operation: Operation,
  plan: Plan,
  making: Making,
): readonly VariedInput[] => {
  const why = whyNot(operation, plan)
  if (why !== undefined) {
    plan.skip(ownName(operation), why)
    return []
  }
  return operation.kind === 'rpc' ? rpcInputs(operation, plan) : httpInputs(operation, plan, making)
}

/** Why an operation cannot be tested; undefined if it can. */
export const whyNot = (
  operation: Operation,
  { target }: Pick<Plan, 'target'>,
): string | undefined => {
  const why = operation.kind === 'http' ? unsupportedReason(target, operation) : undefined
  if (why !== undefined) return why
  if (operation.kind === 'rpc' && target.rpc === undefined)
    return 'no server was given for its document'
  const isLocked =
    operation.access === 'key' ||
    (operation.kind === 'http' && operation.parameters.some(({ secret }) => secret === true))
  return isLocked && target.key === undefined ? 'it needs a key, and none was given' : undefined
}

/** Any other type makes the call itself invalid, and an empty `{}` or `[]` has nothing that could be wrong. */
const areParams = (value: unknown, { params }: RpcOperation): boolean => {
  if (!Array.isArray(value) && !isObject(value)) return false
  return Object.keys(value).length > 0 || params.some(({ required }) => required)
}

const rpcInputs = (operation: RpcOperation, { target, checker }: Plan): readonly VariedInput[] => {
  const { method, paramStructure, examples, params } = operation
  const shown = examples.toSorted(
    (a, b) => Number(a.outcome.kind !== 'result') - Number(b.outcome.kind !== 'result'),
  )
  const input = (part: string, schema: Schema, values: readonly unknown[]): VariedInput => {
    const accepts = checker.schema(schema).check
    return {
      operation,
      part,
      schema,
      accepts,
      isRequired: false,
      bases: values.filter(accepts),
      rejects: (value) => areParams(value, operation) && !accepts(value),
      write: (value) => postRpc(target, callText(method, value)),
    }
  }
  const named = parametersSchema({ ...operation, paramStructure: 'by-name' })
  const namedValues = shown.map(({ namedParams }) => namedParams)
  const byName = () => input('params by name', named, namedValues)
  if (paramStructure === 'by-name') return [byName()]
  // By position, null skips an optional param, even if its schema rejects null.
  const takesSent = checker.schema(sentParametersSchema(operation)).check
  const values = shown.map((one) => one.params)
  const listed: VariedInput = {
    ...input('params', parametersSchema(operation), values),
    rejects: (value) => areParams(value, operation) && !takesSent(value),
  }
  if (paramStructure === 'by-position' || params.length === 0) return [listed]
  // Params are invalid only if they are invalid both by position and by name.
  const either = byName()
  const rejects = (value: unknown) => listed.rejects(value) && either.rejects(value)
  return [
    { ...listed, rejects },
    { ...either, rejects },
  ]
}

type Shown = {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body: { readonly type: string; readonly value: unknown } | undefined
  readonly names: readonly string[]
}

/** Requests that use each example at least once: bodies and parameters are combined in order, and shorter lists start again. */
export const shownRequests = (operation: HttpOperation): readonly Shown[] => {
  const bodies = (operation.body?.content ?? []).flatMap(({ type, examples }) =>
    examples.map(({ name, value }) => ({ name, body: { type, value } })),
  )
  const lists = operation.parameters.filter(
    ({ examples, secret }) => examples.length > 0 && secret !== true,
  )
  const count = Math.max(1, bodies.length, ...lists.map(({ examples }) => examples.length))
  return Array.from({ length: count }, (_, at) => {
    const body = bodies[at % Math.max(1, bodies.length)]
    const values = lists.flatMap((parameter) => {
      const example = parameter.examples[at % parameter.examples.length]
      return example ? [{ id: idOf(parameter), example }] : []
    })
    return {
      parameters: Object.fromEntries(values.map(({ id, example }) => [id, example.value])),
      body: body?.body,
      names: [
        ...(body === undefined ? [] : [body.name]),
        ...values.map(({ example }) => example.name),
      ],
    }
  })
}

const idOf = (parameter: HttpParameter): string => `${parameter.in}.${parameter.name}`

/** The parameters, with generated values for required ones without an example. */
export const completed = (
  parameters: Shown['parameters'] = {},
  operation: HttpOperation,
  making: Making,
): Readonly<Record<string, unknown>> => {
  const missing = operation.parameters.filter(
    (one) => one.required && one.secret !== true && !Object.hasOwn(parameters, idOf(one)),
  )
  const made = missing.map((one) => [idOf(one), madeValue(one, making)])
  return { ...Object.fromEntries(made), ...parameters }
}

/** A value that the parameter can carry: of another example of the same schema, else generated. Undefined if there is none. */
export const madeValue = (parameter: HttpParameter, making: Making): unknown => {
  const { schema } = parameter
  const isWritten = (value: unknown) => serializeParameter(parameter, value) !== undefined
  const { shown, schemas } = making
  return (
    shown(dereference(schema, schemas)).find(isWritten) ??
    parameterValue(parameter, samplerOf(making)) ??
    samplesOf(schema, making).find(isWritten)
  )
}

const samplers = new WeakMap<Making, Sampler>()

const samplerOf = (making: Making): Sampler =>
  cached(samplers, making, () => createSampler(making.schemas, 'request'))

/** The first documented request, with generated values for required parts without an example. */
export const shownValues = (operation: HttpOperation, making: Making): HttpValues => {
  const [first] = shownRequests(operation)
  return { parameters: completed(first?.parameters, operation, making), body: first?.body }
}

/** A documented request, with generated values for undocumented parts. */
export const requestValues = (operation: HttpOperation, making: Making): HttpValues => {
  const values = shownValues(operation, making)
  const [content] = operation.body?.content ?? []
  if (values.body !== undefined || content === undefined) return values
  return { ...values, body: { type: content.type, value: samplesOf(content.schema, making)[0] } }
}

const httpInputs = (
  operation: HttpOperation,
  plan: Plan,
  making: Making,
): readonly VariedInput[] => {
  const { target, checker } = plan
  const requests = shownRequests(operation)
  const [first] = requests
  const parameters = completed(first?.parameters, operation, making)
  const contents = (operation.body?.content ?? []).filter(hasJsonValue)
  const bodies = contents.map(({ type, codec, schema, examples }): VariedInput => {
    const accepts = checker.schema(schema).check
    const values = examples.map(({ value }) => value).filter((value) => accepts(value))
    return {
      operation,
      part: `body ${type}`,
      schema,
      accepts,
      bases: values,
      rejects: (value) => !accepts(value),
      write: (value) => {
        // One item alone would be read as a list of it.
        const isWritten = value === undefined || holdsValue(codec) || Array.isArray(value)
        const body = value === undefined ? undefined : { type, value }
        return isWritten ? writeHttp(operation, { parameters, body }, target) : undefined
      },
      isRequired: operation.body?.required === true,
    }
  })
  const [content] = contents
  const body =
    content === undefined
      ? first?.body
      : { type: content.type, value: bodies[0]?.bases[0] ?? samplesOf(content.schema, making)[0] }
  const places = operation.parameters
    .filter((one) => one.secret !== true && one.mediaType === undefined)
    .map((parameter): VariedInput => {
      const id = idOf(parameter)
      const { accepts, rejects } = inText(parameter, checker)
      const values = parameter.examples.map(({ value }) => value).filter((value) => accepts(value))
      return {
        operation,
        part: id,
        schema: parameter.schema,
        accepts,
        rejects,
        // A value that cannot be carried is no start for others.
        bases: values.length > 0 ? values : samplesOf(parameter.schema, making).filter(accepts),
        write: (value) => {
          const values = { parameters: { ...parameters, [id]: value }, body }
          return writeHttp(operation, values, target)
        },
        isRequired: parameter.required && parameter.in !== 'path',
      }
    })
  return [...bodies, ...formInputs(operation, plan, parameters), ...places]
}

/**
 * Which values of a parameter are valid and which are invalid as text. `1` is a number and a string, so it is invalid only if
 * the schema accepts neither. A value whose text makes another request is neither.
 */
const inText = (
  parameter: HttpParameter,
  checker: Checker,
): Pick<VariedInput, 'accepts' | 'rejects'> => {
  const { check } = checker.schema(parameter.schema)
  return {
    accepts: (value) => isCarried(value, parameter) && check(value),
    rejects: (value) => isCarried(value, parameter) && !readingsOfAny(value).some(check),
  }
}

/** A list of one item may be read as the item alone. */
const readingsOfAny = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) return readingsOf(String(value))
  const [only, ...more] = value.map(String)
  return [...listReadings(value.map(String)), ...(more.length === 0 ? readingsOf(only ?? '') : [])]
}

/** Objects have styles in which a member looks like a plain value. A list needs items, and delimiters that none contains. */
const isCarried = (value: unknown, parameter: HttpParameter): boolean => {
  if (Array.isArray(value)) {
    const isClear = value.length > 0 && sharedDelimiter(parameter, value) === undefined
    return isClear && value.every((item) => item !== '' && isCarriedText(item, parameter))
  }
  return isCarriedText(value, parameter)
}

const isCarriedText = (value: unknown, parameter: HttpParameter): boolean => {
  if (typeof value === 'object' || value === undefined) return false
  const text = String(value)
  // An empty segment, or one of dots, changes the path. Headers are trimmed, and allow no line breaks.
  if (parameter.in === 'path') return text !== '' && !/^\.{1,2}$/.test(text)
  if (parameter.in === 'query') return true
  return (
    text !== '' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/[;,"\\]/.test(text)
  )
}

/** The name in coverage of a keyword of a request part: `eth_call params/prefixItems/0/properties/to pattern`. */
export const keywordName = (operation: Operation, part: string, place: string): string =>
  `${ownName(operation)} ${part}${place.startsWith('/') ? '' : ' '}${place}`

/** Every keyword of every request, by its name in coverage. */
export const requestKeywords = ({ operations, schemas }: Api): readonly string[] =>
  operations.flatMap((operation) =>
    partsOf(operation).flatMap(([part, schema]) =>
      declaredKeywords(schema, schemas)
        .filter(
          (place) => !(place === 'type' && isAnyText(operation, dereference(schema, schemas))),
        )
        .map((place) => keywordName(operation, part, place)),
    ),
  )

/** Any text is valid for a string parameter, and params of another type make no valid call (JSON-RPC 2.0, 4.2). */
const isAnyText = ({ kind }: Operation, schema: Schema): boolean =>
  kind === 'rpc' || (typeof schema === 'object' && (schema.type ?? []).includes('string'))

const partsOf = (operation: Operation): readonly (readonly [part: string, schema: Schema])[] => {
  if (operation.kind === 'rpc') {
    // By name and by position are two forms of the same params.
    const part = operation.paramStructure === 'by-name' ? 'params by name' : 'params'
    return [[part, parametersSchema(operation)]]
  }
  const contents = (operation.body?.content ?? []).filter(hasJsonValue)
  const parameters = operation.parameters.filter(
    ({ secret, mediaType }) => secret !== true && mediaType === undefined,
  )
  return [
    ...contents.map(({ type, schema }) => [`body ${type}`, schema] as const),
    ...parameters.map((one) => [idOf(one), one.schema] as const),
  ]
}
