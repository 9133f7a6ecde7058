import { existsSync } from 'node:fs'
import type { ChosenExample } from '../model/sample-request.js'
import { itemsText } from '../model/streams.js'
import { type AnyInput, writeRequest } from '../runtime/http/request.js'
import type { HttpOperation } from '../runtime/operation.js'
import { sentCodec } from '../runtime/shared/codecs.js'
import type { ResolvedSecrets } from '../runtime/shared/credentials.js'
import { essence } from '../runtime/shared/media-type.js'
import { concreteOf } from '../runtime/wire/content.js'
import { formFields, formParts } from '../runtime/wire/write-body.js'
import { jsonText } from '../text/escape.js'
import type { Snippet } from './rpc-languages.js'

// The package contains the library as a bundled file; a clone has it among its dependencies.
const BUNDLED = new URL('scripts/snippet-library.js', import.meta.url)
const library: Library = await import(
  (existsSync(BUNDLED) ? BUNDLED : new URL('snippet-library.js', import.meta.url)).href
)

type Library = Readonly<
  Record<
    'pythonRequests' | 'goNative' | 'javaNethttp' | 'phpGuzzle',
    { readonly generate: (request: HarRequest) => string }
  >
>

/** The languages without a generated client, by @scalar/snippetz. */
const LANGUAGES = [
  ['Python', 'pythonRequests'],
  ['Go', 'goNative'],
  ['Java', 'javaNethttp'],
  ['PHP', 'phpGuzzle'],
] as const

/** A request to `base` in each language, equal to that of the generated client; empty if its body has no sample. */
export function httpSnippets(base: string, request: SampledRequest): readonly Snippet[] {
  const { operation, input, credentials, sent, files } = request
  const { body: _, limits: __, ...bodiless } = operation
  const isFree = Object.keys(credentials).length === 0
  const written = writeRequest(
    { ...bodiless, variants: [], ...(isFree && { security: [] }) },
    undefined,
    input,
    {
      credentials,
      limits: {},
      headers: {},
      accept: '',
      checks: false,
      bodies: undefined,
      integers: 'bigint',
    },
  )
  const postData = sent && postDataOf(sent, files)
  if ('problems' in written || (sent !== undefined && postData === undefined)) return []
  const { path, query, headers: all } = written.request
  const { accept: ___, ...rest } = all
  const headers: Record<string, string> = rest
  if (headers.authorization?.startsWith('Basic '))
    headers.authorization = 'Basic YOUR_USER_AND_PASSWORD_IN_BASE64'
  const type = sent && postData && postData.mimeType !== MULTIPART ? sentType(sent) : undefined
  const har: HarRequest = {
    method: operation.method,
    // A quote would end the string in some languages.
    url: `${base}${path}${query === '' ? '' : `?${query}`}`.replace(
      /['"\\`$]/g,
      encodeURIComponent,
    ),
    headers: Object.entries({
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    }).map(([name, value]) => ({ name, value })),
    ...(postData && { postData }),
  }
  return LANGUAGES.map(([language, name]) => ({
    language,
    text: whole(language, library[name].generate(har).trim().replace(MARKED, '$1')),
  }))
}

/** The library rounds large integers, so it gets them as strings with this prefix. */
const MARK = 'twinspec-integer:'
const MARKED = new RegExp(`\\\\?["']${MARK}(-?\\d+)\\\\?["']`, 'g')
const withMarks = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? MARK + one : one)))

/** For Python, the library writes only the call. */
const whole = (language: string, text: string): string =>
  language === 'Python' ? `import requests\n\nresponse = ${text}\nprint(response.text)` : text

export type SampledRequest = {
  readonly operation: HttpOperation
  /** The input without its body. */
  readonly input: AnyInput
  readonly credentials: ResolvedSecrets
  readonly sent: ChosenExample | undefined
  readonly files: readonly string[]
}

/** A request of the HTTP Archive format, version 1.2, with the members that the library reads. */
type HarRequest = {
  readonly method: string
  readonly url: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly postData?: PostData
}

type PostData = {
  readonly mimeType: string
  readonly text?: string
  readonly params?: readonly {
    readonly name: string
    readonly value?: string
    readonly fileName?: string
  }[]
}

const MULTIPART = 'multipart/form-data'

/** A range is no media type of a body. */
const sentType = ({ media, example: { value } }: ChosenExample): string =>
  concreteOf(media.type, value) ?? media.type

/** Undefined for bytes, which cannot be written as source text. */
function postDataOf(sent: ChosenExample, files: readonly string[]): PostData | undefined {
  const { media, example } = sent
  const { value } = example
  const type = sentType(sent)
  const mimeType = essence(type)
  const codec = sentCodec(media, type)
  if (codec === 'json')
    return {
      mimeType: 'application/json',
      text: jsonText(withMarks(value), 2).replace(/[\ud800-\udfff]/gu, '\ufffd'),
    }
  const encodings = media.encoding
  if (codec === 'multipart')
    return {
      mimeType,
      params: formParts(value, encodings).map(({ name, value: part }) =>
        files.includes(name) ? { name, fileName: String(part) } : { name, value: String(part) },
      ),
    }
  if (codec === 'form') {
    const fields = formFields(value, encodings)
    const params = fields.flatMap((one) =>
      'raw' in one ? [] : [{ name: one.name, value: one.text }],
    )
    return params.length === fields.length ? { mimeType, params } : undefined
  }
  const items = itemsText(media, value, (item) => jsonText(withMarks(item)))
  if (items !== undefined) return { mimeType, text: items }
  return codec === 'text' ? { mimeType, text: String(value) } : undefined
}
