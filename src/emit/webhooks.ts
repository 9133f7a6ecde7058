import type { Api, OutgoingRequest } from '../model/api.js'
import { hasJsonValue } from '../model/http-content.js'
import { defined } from '../model/json.js'
import { httpParts, isPart, type Parts } from '../model/operation-parts.js'
import { httpRecord } from '../model/operation-record.js'
import { outgoingOperation } from '../model/outgoing.js'
import { linkSchema } from '../schema/check.js'
import { referredName, type Schema } from '../schema/schema.js'
import { identifier, pascalCase, uniqueName } from '../text/names.js'
import {
  code,
  commented,
  doc,
  type File,
  type Fragment,
  file,
  imported,
  importedNamespace,
  importedType,
  join,
  literal,
  raw,
  string,
} from './file.js'
import { WIDTH } from './header.js'
import { codecImports } from './http-client.js'
import { printOperations } from './openapi-types.js'

/** `webhooks.ts`: the types of webhooks and callbacks, and the function that creates their receiver. */
export function emitWebhooks(api: Api): File {
  const { outgoing } = api
  const names = payloadNames(outgoing)
  const payloads = outgoing.map((request) =>
    commented(
      doc(request.body?.description),
      code`export type ${names.get(request.id) ?? ''} = ${payloadType(request)}`,
    ),
  )
  const handlers = outgoing.map((request) => {
    const { id } = request
    const handler = importedType('WebhookHandler', RUNTIME)
    const types = [`requests[${string(id)}]`, names.get(id) ?? '']
    const line = code`readonly ${id}?: ${handler}<${types.join(', ')}> | undefined`
    const isLong = line.text.length + 2 > WIDTH
    const member = isLong
      ? code`readonly ${id}?: ${handler}<\n  ${types.join(',\n')}\n> | undefined`
      : line
    return code`${doc(...commentOf(request))}\n${member}`
  })
  const records = outgoing.map((request) => code`${request.id}: ${recordOf(request)},`)
  const codecs = codecImports(outgoing.map(outgoingOperation))
  const parts = [
    'webhooks',
    ...(codecs.length > 0 ? [code`codecs: { ${join(codecs, ', ')} }`] : []),
  ]
  const body = code`${join(payloads, '\n\n')}

/** One handler per webhook or callback. Requests without a handler are accepted and ignored. */
export type WebhookHandlers = {
  ${join(handlers)}
}

/**
 * The receiver: \`createWebhooks({ … }, { secret }).handle(request)\`. Throws a TypeError for
 * options without a check.
 */
export const createWebhooks = (handlers: WebhookHandlers, options: ${importedType('WebhookOptions', RUNTIME)}): ${importedType('Webhooks', RUNTIME)} =>
  ${imported('createWebhookReceiver', RUNTIME)}({ ${join(parts, ', ')} }, handlers, options)

const webhooks: Readonly<Record<string, ${importedType('WebhookRecord', RUNTIME)}>> = {
  ${join(records)}
}

/** The requests, as openapi-typescript prints operations. */
${requestTypes(api)}

export { toNodeListener } from '${RUNTIME}'`
  return file('webhooks.ts', body)
}

const RUNTIME = 'twinspec/runtime/webhooks'
const VALIDATE = 'twinspec/runtime/validate'
const COMPONENTS = importedType('components', './http.types.js')

/** Id -> the type of its payload: `orderCreated` -> `OrderCreatedWebhook`. */
function payloadNames(outgoing: Api['outgoing']): ReadonlyMap<string, string> {
  const used = new Set<string>()
  return new Map(
    outgoing.map(({ id }) => [id, uniqueName(identifier(`${id} webhook`, pascalCase), used)]),
  )
}

function payloadType({ id, body }: OutgoingRequest): Fragment {
  const [media, ...others] = body?.content ?? []
  const name = media && referredName(media.schema)
  return media && name !== undefined && body?.required && others.length === 0 && hasJsonValue(media)
    ? code`${COMPONENTS}['schemas'][${string(name)}]`
    : code`${importedType('WebhookPayload', RUNTIME)}<requests[${string(id)}]>`
}

const commentOf = (request: OutgoingRequest): readonly (string | undefined)[] => {
  const { kind, name, method, callback, summary, description, deprecated, sunset } = request
  const of = callback ? ` of \`${callback.method} ${callback.path}\`, to \`${callback.url}\`` : ''
  return [
    summary,
    description === summary ? undefined : description,
    `The ${kind} \`${name}\`${of}, by ${method}.`,
    deprecated ? `@deprecated${sunset ? ` Ends on ${sunset}.` : ''}` : undefined,
  ]
}

function recordOf(request: OutgoingRequest): Fragment {
  const operation = outgoingOperation(request)
  const { method, parameters, body, responses, bigints } = httpRecord(operation)
  const record = {
    name: request.name,
    method,
    parameters,
    ...defined({ body, bigints }),
    responses,
  }
  return literal({ ...record, validators: validatorsOf(httpParts(operation)) }, WHOLE_LINE, 2)
}

/** No record is on one line, which makes files and diffs readable. */
const WHOLE_LINE = 1_000

/** A named schema has a validator in `explanations.ts`. */
function validatorsOf(parts: Parts): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(parts).map(([key, one]) => [
      key,
      isPart(one) ? validatorOf(one.schema) : validatorsOf(one),
    ]),
  )
}

const named = (name: string): Fragment =>
  code`${importedNamespace('explanations', './explanations.js')}.${name}`

function validatorOf(schema: Schema): Fragment {
  const name = referredName(schema)
  if (name !== undefined) return named(name)
  const type = importedType('ValidatorSchema', VALIDATE)
  const value = literal(linkSchema(schema, named), 40, 6)
  const isObject = value.text.startsWith('{')
  return code`${imported('validator', VALIDATE)}((): ${type} => ${isObject ? '(' : ''}${value}${isObject ? ')' : ''})`
}

function requestTypes(api: Api): Fragment {
  const sent = { ...api, operations: api.outgoing.map(outgoingOperation) }
  const { operations } = printOperations(sent, 'client')
  const lines = operations.map(({ listed }) => listed).join('')
  const hasSchemas = operations.some(({ uses }) => uses.size > 0)
  return {
    ...raw(`interface requests {\n${lines}}`),
    imports: hasSchemas ? COMPONENTS.imports : [],
  }
}
