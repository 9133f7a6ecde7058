import type { Content, Parameter } from '../operation.js'
import type { Validator } from '../validate.js'
import type { HeaderRecord } from './headers.js'
import {
  type ParameterReading,
  type ParameterTerms,
  readCookies,
  readParameters,
} from './parameters.js'
import { type BodyReading, type ContentTerms, readRequestBody, type SentBody } from './read-body.js'
import { isOtherShape, readQuery } from './readings.js'

/**
 * Reads a whole request of an operation, such as a recorded one: its parameters and its body. Each part has its value, what its
 * schema rejects, or why it was not read.
 *
 * ```ts
 * readRequest(terms, { path: { id: '7' }, query: 'full=true', headers: {}, body: 'none' })
 * ```
 */
export const readRequest = <P extends Parameter>(
  terms: RequestTerms<P>,
  { path, query, headers, body }: SentRequest,
): RequestReading<P> => {
  const known: HeaderRecord = headers ?? {}
  const wire = { path, query: readQuery(query), headers: known, cookies: readCookies(known) }
  const { parameters, undeclared } = readParameters(terms, terms.validatorOf, wire)
  return {
    parameters: parameters.flatMap((one): readonly ParameterReading<P>[] => {
      // Without headers, neither a value nor its absence is known.
      const isKnown = headers !== undefined || /^(path|query)$/.test(one.parameter.in)
      return isKnown ? [understood(one, terms.validatorOf(one.parameter))] : []
    }),
    undeclared,
    lacksHeaders: headers === undefined,
    body:
      body === 'none' || terms.content === undefined
        ? { kind: 'none' }
        : body === 'unknown'
          ? { kind: 'unknown' }
          : readRequestBody(terms.content, terms.contentOf, body),
  }
}

/** What a reader needs of an operation; both shapes of operations have it. */
export type RequestTerms<P extends Parameter = Parameter> = ParameterTerms<P> & {
  readonly validatorOf: (parameter: P) => Validator | undefined
  /** The declared content of the body; undefined if the operation has none. */
  readonly content: readonly Content[] | undefined
  readonly contentOf: (type: string) => ContentTerms
}

/** A request as it was sent, percent-encoded. */
export type SentRequest = {
  /** Name -> text. */
  readonly path: Readonly<Record<string, string>>
  /** Without its question mark. */
  readonly query: string
  /** Names are in lower case. Undefined if they are not known. */
  readonly headers: HeaderRecord | undefined
  readonly body: SentBody | 'none' | 'unknown'
}

export type RequestReading<P extends Parameter = Parameter> = {
  /** Those that were sent, or are required. */
  readonly parameters: readonly ParameterReading<P>[]
  /** The names in the query that no parameter and no security scheme has. */
  readonly undeclared: readonly string[]
  /** The parameters in headers and cookies are not known. */
  readonly lacksHeaders: boolean
  /** `unknown` if a body may have been sent. */
  readonly body: BodyReading | { readonly kind: 'unknown' }
}

/** A value that the schema never accepts is not read. */
const understood = <P extends Parameter>(
  reading: ParameterReading<P>,
  validator: Validator | undefined,
): ParameterReading<P> => {
  if (reading.kind !== 'invalid' || validator === undefined) return reading
  if (!isOtherShape(reading.written, validator)) return reading
  const { parameter, faults } = reading
  const reason = parameter.codec === 'json' ? 'json' : 'style'
  return { kind: 'unread', parameter, faults, reason }
}
