import { isImported, responseCodec, sentCodec } from '../../../runtime/shared/codecs.js'
import { open } from '../../../runtime/validate.js'
import { declaredContent } from '../../../runtime/wire/content.js'
import { readHeader } from '../../../runtime/wire/parameters.js'
import { declaredResponse, isErrorDefault } from '../../../runtime/wire/status.js'
import type { Schema } from '../../../schema/schema.js'
import { type CheckResult, type DocumentChecks, parse, places } from './checks.js'
import type { HttpTry, TryResponse } from './data.js'

/** Checks a response by the declaration of its status and, if the request has a variant, of that variant. */
export function checkHttpResponse(
  data: HttpTry,
  checks: DocumentChecks,
  received: ReceivedHttpResponse,
): CheckResult {
  const { status } = received
  const key = declaredResponse(data.operation.responses, status)?.status
  const response = key === undefined ? undefined : data.responses[key]
  if (key === undefined || response === undefined) {
    const declared =
      data.operation.responses.map((one) => one.status).join(', ') || 'no status at all'
    return bad(`The document declares no status ${status} here; it declares ${declared}.`)
  }
  const link = { href: `#response--${key}`, words: `The documented response ${key}` }
  const name = key === String(status) ? response.name : `${status}, declared as ${response.name}`
  const headers = headerWords(response, checks, received)
  const verdict = bodyVerdict(data, checks, received, response, name)
  return {
    ...verdict,
    tone: headers.faults.length > 0 ? 'wrong' : verdict.tone,
    faults: [...verdict.faults, ...headers.faults],
    notes: [...verdict.notes, ...headers.notes],
    link,
  }
}

export type ReceivedHttpResponse = {
  readonly method: string
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly variant: string | undefined
  /** Whether the page can read all headers. */
  readonly isSameOrigin: boolean
}

type Variant = {
  readonly name: string
  readonly responses: readonly string[]
  readonly errors: readonly string[]
}

function bodyVerdict(
  data: HttpTry,
  checks: DocumentChecks,
  { method, status, headers, text, variant: chosen }: ReceivedHttpResponse,
  { content, description }: TryResponse,
  name: string,
): CheckResult {
  const { responses } = data.operation
  const variant = variantOf(data, chosen)
  const isError = status >= 400 || isErrorDefault(responses, declaredResponse(responses, status))
  const notes = isError && description !== '' ? [description] : []
  const good = (headline: string): CheckResult => ({
    ...bad(headline),
    tone: isError ? 'error' : 'fits',
    notes: notes,
  })
  if (method === 'HEAD') return good(`${name}, as declared; an answer to HEAD has no body.`)
  if (content.length === 0)
    return text === ''
      ? good(`${name}, as declared; it has no body.`)
      : {
          ...good(`${name}, as declared.`),
          notes: ['The document declares no body here.', ...notes],
        }
  const types = content.map(({ type }) => type).join(' or ')
  const type = headers.get('content-type')
  const own = declaredContent(content, type)
  if (own === undefined)
    return bad(
      `${name} is ${type ?? 'of no media type'}, and the document declares ${types} for it.`,
    )
  const codec = sentCodec(own, type ?? own.type, responseCodec)
  if (codec !== 'json') {
    const found = good(`${name}, ${type ?? own.type} as declared.`)
    const unread = `This page cannot read ${codec.toUpperCase()}: the body was not checked.`
    return isImported(codec) ? { ...found, notes: [unread, ...found.notes] } : found
  }
  const read = parse(text)
  if ('problem' in read)
    return bad(
      text === ''
        ? `${name} has no body, and the document declares ${types} for it.`
        : `The body of ${name} is not JSON: ${read.problem}.`,
    )
  const shown = { value: read.value, checks, name, good }
  const byVariant = variant && !isError ? variantVerdict(variant, shown) : undefined
  return byVariant ?? schemaVerdict(own.schema, shown)
}

type Shown = {
  readonly value: unknown
  readonly checks: DocumentChecks
  /** `200 OK`. */
  readonly name: string
  readonly good: (headline: string) => CheckResult
}

/** Checks the body by the variant of the request; undefined if the variant declares no schemas. */
function variantVerdict(
  { name: variant, errors, responses }: Variant,
  { value, checks, name, good }: Shown,
): CheckResult | undefined {
  const error = anyOf(errors)
  if (errors.length > 0 && checks.faults(error, value).length === 0) {
    const headline = `An error that the document names under ${name}: ${checks.nameOf(error, value)}.`
    return { ...good(headline), tone: 'error' }
  }
  if (responses.length === 0) return undefined
  const response = anyOf(responses)
  const faults = checks.faults(response, value)
  if (faults.length > 0) {
    const headline = `Breaks what the document declares for the variant ${variant} (${responses.join(' or ')}) ${places(faults.length)}.`
    return { ...bad(headline), faults }
  }
  const fitting = checks.nameOf(response, value)
  return good(`Fits the schema of ${name}: ${fitting}, the response to the variant ${variant}.`)
}

const anyOf = (names: readonly string[]): Schema => ({
  anyOf: names.map((one) => ({ $ref: `#/components/schemas/${one}` })),
})

function schemaVerdict(schema: Schema, { value, checks, name, good }: Shown): CheckResult {
  const called = checks.nameOf(schema, value)
  const whose = `${name}${called === undefined ? '' : ` (${called})`}`
  const faults = checks.faults(schema, value)
  if (faults.length > 0)
    return { ...bad(`Breaks the schema of ${whose} ${places(faults.length)}.`), faults }
  return good(`Fits the schema of ${whose}.`)
}

/** Checks declared headers: invalid ones, and ones that are missing or not visible. */
function headerWords(
  { headers: declared }: TryResponse,
  checks: DocumentChecks,
  { headers, isSameOrigin }: ReceivedHttpResponse,
): Pick<CheckResult, 'faults' | 'notes'> {
  const faults = declared.flatMap((header) => {
    const { name, required, schema } = header
    const text = headers.get(name.toLowerCase())
    if (text === undefined)
      return required && isSameOrigin
        ? [{ whose: name, pointer: '', message: 'is a header that must be sent' }]
        : []
    const reading = readHeader(header, text, open(checks.of(schema)))
    const faults = reading && 'faults' in reading ? reading.faults : []
    return faults.map(({ pointer, message }) => ({ whose: name, pointer, message }))
  })
  const unseen = declared
    .filter(({ name }) => !isSameOrigin && !headers.has(name.toLowerCase()))
    .map(({ name }) => name)
  const note = `Not seen: ${unseen.join(', ')}. A server shows pages of another origin only the headers that it exposes (CORS).`
  return { faults, notes: unseen.length === 0 ? [] : [note] }
}

const variantOf = ({ operation }: HttpTry, name: string | undefined): Variant | undefined =>
  operation.variants?.find((one) => one.name === name)

const bad = (headline: string): CheckResult => ({
  tone: 'wrong',
  headline,
  faults: [],
  notes: [],
  whole: 'the body',
})
