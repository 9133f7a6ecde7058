import type { HttpOperation } from '../model/api.js'
import type { HttpParameter } from '../model/http-content.js'
import { cached } from '../runtime/shared/cached.js'
import { codecOf, holdsFields, type ValueCodecs } from '../runtime/shared/codecs.js'
import type { BigintTerms } from '../runtime/shared/exact-integers.js'
import {
  codingsOf,
  type HeaderPairs,
  type HeaderRecord,
  headerOf,
} from '../runtime/wire/headers.js'
import type { ContentTerms, SentBody } from '../runtime/wire/read-body.js'
import {
  type RequestReading,
  type RequestTerms,
  readRequest,
} from '../runtime/wire/read-request.js'
import { splitUrl } from '../runtime/wire/routes.js'
import { bigintPlaces, markedIn, namedPlaces } from '../schema/bigints.js'
import type { Checker } from '../schema/check.js'
import type { Schema, Schemas } from '../schema/schema.js'
import { tryParseJson } from '../text/json-text.js'
import type { Facts } from './recording.js'
import type { PathTexts } from './route.js'

/** Creates the reader of recorded requests of HTTP operations, for all that checks or counts them. */
export const createRequestReader = (
  schemas: Schemas,
  checker: Checker,
  codecs: ValueCodecs,
): ((operation: HttpOperation, facts: Facts, path: PathTexts) => RequestReading<HttpParameter>) => {
  const known = new Map<HttpOperation, RequestTerms<HttpParameter>>()
  const termsOf = (operation: HttpOperation) =>
    cached(known, operation, () => createTerms(operation, schemas, checker, codecs))
  return (operation, facts, path) => {
    const headers = headersOfPairs(facts.headers)
    return readRequest(termsOf(operation), {
      path,
      query: splitUrl(facts.url ?? '')[1],
      headers: facts.lacksHeaders ? undefined : headers,
      body: bodyOf(facts, headers),
    })
  }
}

const createTerms = (
  { parameters, schemes, body }: HttpOperation,
  schemas: Schemas,
  checker: Checker,
  codecs: ValueCodecs,
): RequestTerms<HttpParameter> => {
  const content = new Map<string, ContentTerms>()
  for (const media of body?.content ?? []) {
    const { type, codec, schema } = media
    const isOfTexts = holdsFields(codec) || codec === 'any' || codec === 'text'
    content.set(type, {
      // A JSON value has one reading, so that no schema must decide.
      validator: isOfTexts ? checker.schema(schema) : undefined,
      bigints: bigintTerms(schema, schemas),
      codecs,
    })
  }
  return {
    parameters,
    schemes,
    validatorOf: ({ schema }) => checker.schema(schema),
    content: body?.content,
    contentOf: (type) => content.get(type) ?? {},
  }
}

const bigintTerms = (schema: Schema | undefined, schemas: Schemas): BigintTerms | undefined => {
  const places = bigintPlaces(schema, markedIn(schemas))
  return places && { places, named: namedPlaces(places, schemas) }
}

const bodyOf = (facts: Facts, headers: HeaderRecord): SentBody | 'none' | 'unknown' => {
  if (facts.hasBody === undefined) return 'unknown'
  if (!facts.hasBody) return 'none'
  const content = facts.content()
  const contentType = headerOf(headers, 'content-type')
  if (content === undefined) return { contentType, content: { raw: '' }, isLeftOut: true }
  const encoding = headerOf(headers, 'content-encoding')
  // Programs record bodies decoded, and compressed bytes are no JSON.
  const isEncoded = codingsOf(encoding).length > 0
  const isDecoded = 'json' in content || (isEncoded && isJsonText(contentType, content.raw))
  if (isDecoded || isEncoded)
    return { contentType, contentEncoding: isDecoded ? undefined : encoding, content }
  const size = Math.max(Number(headerOf(headers, 'content-length') ?? 0), facts.size ?? 0)
  return { contentType, content, isIncomplete: 'raw' in content && sizeOf(content.raw) < size }
}

const isJsonText = (contentType: string | undefined, raw: string | Uint8Array): boolean =>
  codecOf(contentType ?? '') === 'json' &&
  typeof raw === 'string' &&
  tryParseJson(raw) !== undefined

const sizeOf = (raw: string | Uint8Array): number =>
  typeof raw === 'string' ? Buffer.byteLength(raw) : raw.byteLength

/** The headers by name in lower case, in their order. */
export const headersOfPairs = (pairs: HeaderPairs): HeaderRecord => {
  const all = new Map<string, string[]>()
  for (const [name, value] of pairs) cached(all, name.toLowerCase(), () => []).push(value)
  return Object.fromEntries(
    [...all].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}
