import type { CallError } from '../errors.js'
import type { IncomingResponse } from '../link/transport.js'
import type { Content } from '../operation.js'
import { type Codec, codecOf, holdsItems, responseCodec, sentCodec } from '../shared/codecs.js'
import { headerParameter } from '../shared/file-name.js'
import type { Fault } from '../validate.js'
import { declaredContent } from '../wire/content.js'
import { acceptsNoString } from '../wire/faults.js'
import type { Failures } from './failure.js'

/** The declared content of a body, if the type of the call promises it; else undefined. */
export const expectedContent = async (
  declared: readonly Content[],
  sent: string | undefined,
  choice: Choice,
): Promise<Content | undefined> => {
  const expected = expectedContents(declared, choice)
  // Bytes of any type are read as the Blob that `application/octet-stream` promises.
  const content =
    declaredContent(expected, sent) ??
    expected.find(({ type }) => type === 'application/octet-stream')
  if (content?.codec !== 'any') return content
  // Bytes are no JSON value, but they may be a string by its schema.
  const codec = codecInRange(sent)
  if (codec !== 'bytes' && !holdsItems(codec)) return content
  return acceptsNoString((await choice.faultsOf?.(content.type)) ?? []) ? undefined : content
}

/** The codec of a response whose declared content is any type. */
export const codecInRange = (sent = ''): Codec => sentCodec(undefined, sent, responseCodec)

/** The choice of the caller between several media types; an error is not chosen. */
export type Choice = {
  /** The media type that the caller chose. */
  readonly accept?: string | undefined
  /** Whether the property `stream` of the request selects a stream; undefined if the operation has no such property. */
  readonly isStreamed?: boolean | undefined
  /** The faults of an empty string by the schema of a declared media type. */
  readonly faultsOf?: ((type: string) => Promise<readonly Fault[]>) | undefined
}

/** Whether a body of a media type is a stream of items. */
export const isStreamType = (type: string): boolean => holdsItems(codecOf(type))

/** The fault of an error body whose media type is not the declared one: it is read, but it may have another type. */
export const typeFault = (declared: readonly Content[], sent: string | undefined): Fault => ({
  pointer: '',
  keyword: 'content',
  message: `is ${difference(declared, sent, {})}`,
})

/** The error of a success whose media type the call's type does not promise: its value would have another type. */
export const createTypeError = async (
  response: IncomingResponse,
  declared: readonly Content[],
  sent: string | undefined,
  terms: Choice & { readonly fail: Failures },
): Promise<CallError> => {
  // A stream may have no end.
  const isEndless = isStreamType(sent ?? '')
  if (isEndless) response.discard()
  const text = isEndless ? undefined : await readText(response)
  const { status } = response
  return terms.fail.call('malformed-answer', `returned ${difference(declared, sent, terms)}`, {
    response: { status, mediaType: sent, text },
  })
}

/**
 * The text of a response in the charset of its Content-Type; in UTF-8 if the platform does not know the charset. JSON has none,
 * and is UTF-8 (RFC 8259, 8.1 and 11).
 */
export const readText = async (response: IncomingResponse): Promise<string> => {
  const type = response.header('content-type') ?? ''
  const charset = codecOf(type) === 'json' ? undefined : headerParameter(type, 'charset')
  if (charset === undefined || /^utf-?8$/i.test(charset)) return await response.text()
  const chunks = await response.chunks()
  const body = chunks ? new Blob([...chunks]) : response.response()
  return decoderOf(charset).decode(await body.arrayBuffer())
}

const decoderOf = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

const difference = (
  declared: readonly Content[],
  sent: string | undefined,
  terms: Choice,
): string => {
  const types = expectedContents(declared, terms).map(({ type }) => type)
  return `${sent ?? 'no Content-Type'} where ${types.join(' or ')} is expected`
}

/**
 * The declared content that the type of a call promises: the chosen one; else JSON and streams if JSON is declared, because the
 * client requests them; else all.
 */
const expectedContents = (
  declared: readonly Content[],
  { accept, isStreamed }: Choice,
): readonly Content[] => {
  const chosen = declared.find(({ type }) => type === accept)
  if (chosen !== undefined) return [chosen]
  if (isStreamed !== undefined)
    return declared.filter(({ codec }) => holdsItems(codec) === isStreamed)
  return declared.some(({ codec }) => codec === 'json')
    ? declared.filter(({ codec }) => codec === 'json' || holdsItems(codec))
    : declared
}
