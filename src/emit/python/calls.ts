import type { Api, HttpOperation, Operation } from '../../model/api.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { isStreamed } from '../../model/streams.js'
import { pythonString } from '../../text/escape.js'
import { type CallValues, FILE_TEXT, SAMPLE_FILE } from '../languages/call-values.js'
import { type Argument, httpArguments, rpcArguments } from './arguments.js'
import { credentialArguments } from './client-module.js'
import {
  httpCredentials,
  pythonNamesOf,
  rpcCredentials,
  setsStream,
  variantArguments,
} from './clients.js'
import { pythonIndented } from './layout.js'
import { operationResults, type PythonResults } from './results.js'
import { createTypes, type Types } from './types.js'

/** Writes calls of the clients of a package. */
export type PythonCalls = {
  /** `get_order("17")`; undefined if a value that the function requires is not known. */
  readonly callOf: (operation: Operation, values: CallValues) => PythonCall | undefined
  /** A client with placeholders for credentials: `HttpClient("testnet", api_key="YOUR_API_KEY")`. */
  readonly clientOf: (
    kind: Operation['kind'],
    options: { readonly server: string | undefined; readonly secrets: readonly string[] },
  ) => PythonClient
}

/** A call of a client. */
export type PythonCall = {
  /** `create_order(item="a1")`. */
  readonly text: string
  /** A stream is closed by `with`. */
  readonly returns: 'nothing' | 'result' | 'stream'
}

export type PythonClient = { readonly name: 'HttpClient' | 'RpcClient'; readonly text: string }

/** `types` are those of a package whose clients are printed; by default, names of classes do not matter. */
export const createPythonCalls = (api: Api, types: Types = createTypes(api)): PythonCalls => {
  const names = new Map([
    ...pythonNamesOf(httpOperations(api)),
    ...pythonNamesOf(rpcOperations(api)),
  ])
  const credentials = {
    http: credentialArguments(httpCredentials(api)),
    rpc: credentialArguments(rpcCredentials(api)),
  }
  return {
    callOf: (operation, values) => {
      const name = names.get(operation.id) ?? operation.id
      return operation.kind === 'http'
        ? httpCall(operation, { name, values, types })
        : plainCall(
            name,
            rpcArguments(operation, types).map((one, at) => ({ ...one, slot: String(at) })),
            values,
            operationResults(operation, types),
          )
    },
    clientOf: (kind, { server, secrets }) => {
      const name = kind === 'http' ? 'HttpClient' : 'RpcClient'
      const own = credentials[kind].filter((one) => secrets.includes(one.name))
      const args = [
        ...(server === undefined ? [] : [pythonString(server)]),
        ...own.map(
          ({ argument, isBasic }) =>
            `${argument}=${isBasic ? '("YOU", "YOUR_PASSWORD")' : pythonString(`YOUR_${argument.toUpperCase()}`)}`,
        ),
      ]
      return { name, text: `${name}(${args.join(', ')})` }
    },
  }
}

const httpCall = (
  operation: HttpOperation,
  {
    name,
    values,
    types,
  }: { readonly name: string; readonly values: CallValues; readonly types: Types },
): PythonCall | undefined => {
  const results = operationResults(operation, types)
  const isStream =
    results.item !== undefined &&
    (results.result === undefined || isStreamed(operation, values.get('body')))
  if (operation.variants.length > 0)
    return firstOf(variantArguments(operation, types), ({ args }) =>
      plainCall(name, args, values, results),
    )
  const args = httpArguments(operation, { types })
  const isBeside = isStream && results.result !== undefined
  const call = isBeside
    ? plainCall(
        `${name}_stream`,
        args.filter((one) => !setsStream(one)),
        withoutStream(values),
        results,
      )
    : plainCall(name, args, values, results)
  return call && (isStream ? { ...call, returns: 'stream' } : call)
}

const withoutStream = (values: CallValues): CallValues => {
  const { stream: _, ...body } = Object(values.get('body'))
  return values.has('body') ? new Map(values).set('body', body) : values
}

const firstOf = <One, Made>(
  all: readonly One[],
  make: (one: One) => Made | undefined,
): Made | undefined => {
  for (const one of all) {
    const made = make(one)
    if (made !== undefined) return made
  }
  return undefined
}

/** A call with the arguments that are required, and with all properties of a body. */
const plainCall = (
  name: string,
  args: readonly Argument[],
  values: CallValues,
  { result }: PythonResults,
): PythonCall | undefined => {
  const body = values.get('body')
  const properties = args.flatMap(({ slot }) => /^(?:body|null)\.(.*)$/s.exec(slot)?.[1] ?? [])
  const isFlat = properties.length > 0
  if (isFlat && Object.keys(Object(body)).some((key) => !properties.includes(key))) return undefined
  const texts: string[] = []
  // As in the signature.
  const ordered = [
    ...args.filter((one) => one.isPositional),
    ...args.filter((one) => !one.isPositional),
  ]
  for (const [at, { name: argument, slot, usual, isPositional }] of ordered.entries()) {
    const property = /^(?:body|null)\.(.*)$/s.exec(slot)?.[1]
    const value = property === undefined ? values.get(slot) : ownValue(body, property)
    if (value === undefined) {
      if (usual === undefined) return undefined
      // What follows by position has names.
      continue
    }
    const text = pythonValue(value)
    texts.push(isPositional && texts.length === at ? text : `${argument}=${text}`)
  }
  const text = bracketed(`${name}(`, texts, ')')
  return { text, returns: result === 'None' ? 'nothing' : 'result' }
}

const ownValue = (body: unknown, name: string): unknown =>
  Object.hasOwn(Object(body), name) ? Object(body)[name] : undefined

/** A value as a literal of Python. */
const pythonValue = (value: unknown): string => {
  if (value === SAMPLE_FILE) return `b${pythonString(FILE_TEXT)}`
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return pythonString(value)
  if (Array.isArray(value)) return bracketed('[', value.map(pythonValue), ']')
  if (typeof value !== 'object') return String(value)
  const members = Object.entries(value).map(
    ([key, one]) => `${pythonString(key)}: ${pythonValue(one)}`,
  )
  return bracketed('{', members, '}')
}

/** Members on one line, or on a line each. */
const bracketed = (open: string, members: readonly string[], close: string): string => {
  const flat = `${open}${members.join(', ')}${close}`
  return flat.length <= WIDTH && !flat.includes('\n')
    ? flat
    : [open, ...members.map((one) => pythonIndented(`${one},`)), close].join('\n')
}

const WIDTH = 72
