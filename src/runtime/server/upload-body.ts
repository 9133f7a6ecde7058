import type { FormEncoding } from '../operation.js'
import type { Fault, Validator } from '../validate.js'
import { type FormTerms, readParts } from '../wire/forms.js'
import { type HeaderRecord, headerOf } from '../wire/headers.js'
import { isFilePart } from '../wire/read-body.js'
import { boundaryOf, MultipartError, readMultipart } from '../wire/read-multipart.js'
import { decodeText } from '../wire/text.js'
import type { ServerPolicy } from './call.js'
import {
  bodyChunks,
  brokenOff,
  createCollector,
  type ReadResult,
  type RequestRejection,
  rejectByHeaders,
  type ServerRequest,
  tooLarge,
} from './request.js'
import type { UploadedFile, Uploads } from './uploads.js'

/** A request with a body whose files are not read into memory. */
type UploadRequest = {
  readonly request: ServerRequest
  readonly headers: HeaderRecord
  readonly policy: ServerPolicy
  readonly uploads: Uploads
}

/** A whole body as one file. */
export const readFileBody = async (
  { request, headers, policy, uploads }: UploadRequest,
  type: string,
): Promise<ReadResult<UploadedFile>> => {
  const limit = policy.payloadBytes
  const rejected = rejectByHeaders(headers, limit)
  if (rejected) return rejected
  const file = uploads.receive({ name: '', type })
  return await untilLimit(request, limit, async (chunks) => {
    for (let step = await chunks.next(); !step.done; step = await chunks.next())
      await file.write(step.value)
    return { value: file.finish() }
  })
}

/** The fields of a multipart body, converted by its schema, including files. */
export const readMultipartBody = async (
  { request, headers, policy, uploads }: UploadRequest,
  validator: Validator | undefined,
  { encodings = {}, bigints }: FormTerms,
): Promise<ReadResult<unknown> | { readonly faults: readonly Fault[] }> => {
  const limit = policy.payloadBytes
  const rejected = rejectByHeaders(headers, limit)
  if (rejected) return rejected
  const boundary = boundaryOf(headerOf(headers, 'content-type') ?? '')
  if (boundary === undefined) return invalidForm('The Content-Type has no boundary')
  return await untilLimit(request, limit, async (chunks) => {
    const received = await receiveParts(
      readMultipart(chunks, boundary),
      { policy, uploads },
      encodings,
    )
    if (received.rejection) return received
    const { texts, files } = received.value
    const placeholders = files.map(({ name }) => ({ name, text: '', type: undefined }))
    const read = readParts([...texts, ...placeholders], validator, { encodings, bigints })
    return 'faults' in read
      ? { faults: read.faults.map(ofFile(files)) }
      : { value: withFiles(read.value, files) }
  })
}

type NamedFile = { readonly name: string; readonly file: UploadedFile }

type Received = {
  readonly texts: {
    readonly name: string
    readonly text: string
    readonly type: string | undefined
  }[]
  readonly files: NamedFile[]
}

const receiveParts = async (
  pieces: ReturnType<typeof readMultipart>,
  { policy, uploads }: Pick<UploadRequest, 'policy' | 'uploads'>,
  encodings: FormEncoding,
): Promise<ReadResult<Received>> => {
  const received: Received = { texts: [], files: [] }
  let textBytes = 0
  let write: (chunk: Uint8Array) => Promise<void> | void = () => undefined
  let finish: () => RequestRejection | undefined = () => undefined
  let count = 0
  // Iterated manually: leaving early must not destroy the request, which still gets a response.
  for (let step = await pieces.next(); !step.done; step = await pieces.next()) {
    const piece = step.value
    if (piece.kind === 'data') {
      await write(piece.bytes)
      if (textBytes > LONGEST_TEXTS)
        return tooLarge(LONGEST_TEXTS, 'The fields without a file exceed')
      continue
    }
    const rejection = finish()
    if (rejection) return { rejection }
    count += 1
    if (count > policy.uploads.parts)
      return invalidForm(`The body has more than ${policy.uploads.parts} parts`)
    const { name, type, fileName } = piece
    if (isFilePart(piece, encodings)) {
      const media = type ?? onlyType(encodings[name]?.contentType) ?? 'application/octet-stream'
      const file = uploads.receive({ name: fileName ?? '', type: media })
      write = file.write
      finish = () => {
        received.files.push({ name, file: file.finish() })
        return undefined
      }
      continue
    }
    const collector = createCollector()
    write = (chunk) => {
      textBytes += chunk.byteLength
      collector.add(new Uint8Array(chunk))
    }
    finish = () => {
      const text = decodeText(collector.bytes())
      if (text === undefined)
        return { status: 400, message: `The field ${name} is not UTF-8`, cause: 'invalid-utf8' }
      received.texts.push({ name, text, type })
      return undefined
    }
  }
  const rejection = finish()
  return rejection ? { rejection } : { value: received }
}

/** A single declared media type; undefined for a list or a range. */
const onlyType = (declared: string | undefined): string | undefined =>
  declared !== undefined && /[,*]/.test(declared) ? undefined : declared

/** The fields with their files: a list of files if the schema has a list. */
const withFiles = (fields: unknown, files: readonly NamedFile[]): unknown => {
  const found = new Map<string, UploadedFile[]>()
  for (const { name, file } of files) found.set(name, [...(found.get(name) ?? []), file])
  const entries = Object.entries(Object(fields)).map(([name, value]) => {
    const own = found.get(name)
    if (own === undefined) return [name, value] as const
    return [name, Array.isArray(value) ? own : own[0]] as const
  })
  return Object.fromEntries(entries)
}

/** Rewords the fault of a text that replaces a file. */
const ofFile =
  (files: readonly NamedFile[]) =>
  (fault: Fault): Fault => {
    const name = fault.pointer.slice(1).split('/')[0]
    const isFile = files.some((one) => one.name === name) && fault.keyword === 'type'
    return isFile ? { ...fault, message: 'must be one file' } : fault
  }

/** The maximum number of bytes of all fields that are not files, which are kept in memory. */
const LONGEST_TEXTS = 1_048_576

class TooLarge extends Error {}

/** The result of `read` for the chunks of a body, or the rejection if they are too many, incomplete or not a form. */
const untilLimit = async <T>(
  request: ServerRequest,
  limit: number,
  read: (chunks: AsyncIterator<Uint8Array>) => Promise<T>,
): Promise<T | { readonly rejection: RequestRejection }> => {
  const chunks = bodyChunks(request)
  let size = 0
  let hasBroken = false
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const step = await chunks.next().catch(() => {
      hasBroken = true
      throw new MultipartError('is incomplete')
    })
    if (!step.done) size += step.value.byteLength
    if (size > limit) throw new TooLarge()
    return step
  }
  try {
    return await read({ next })
  } catch (error) {
    if (hasBroken) return brokenOff()
    if (error instanceof TooLarge) return tooLarge(limit)
    if (error instanceof MultipartError) return invalidForm(`The body ${error.message}`)
    throw error
  }
}

const invalidForm = (message: string): { readonly rejection: RequestRejection } => ({
  rejection: { status: 400, message, cause: 'invalid-form' },
})
