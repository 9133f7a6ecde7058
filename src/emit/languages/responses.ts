import type { HttpOperation } from '../../model/api.js'
import type { MediaType } from '../../model/http-content.js'
import type { CommonFields } from '../../runtime/operation.js'
import { segmentsOf } from '../../runtime/shared/pointer.js'
import { isErrorDefault, isSuccessKey, successResponses } from '../../runtime/wire/status.js'
import type { SchemaObject } from '../../schema/schema.js'
import type { ObjectProperty, PlacedSchema } from './shapes.js'

/** A media type of a response, at its place. */
export type PlacedContent = MediaType & { readonly place: string }

/** What an operation returns: the bodies, streams and errors that need types. */
export type PlacedResponses = {
  /** Of calls; JSON if it is documented, because clients request it. */
  readonly plain: readonly PlacedContent[]
  readonly streams: readonly PlacedContent[]
  /** Of error responses. */
  readonly failures: readonly PlacedContent[]
  /** Whether a success may have no body. */
  readonly isEmpty: boolean
  readonly hasOnlyStreams: boolean
  /** Whether the document describes a success. */
  readonly isDescribed: boolean
}

export const placedResponses = ({ id, responses }: HttpOperation): PlacedResponses => {
  const all = responses.map((response, at) => ({
    response,
    contents: response.content.map(
      (content, index): PlacedContent => ({
        ...content,
        place: `/http/${id}/responses/${at}/content/${index}`,
      }),
    ),
  }))
  const hasSuccess = responses.some(({ status }) => isSuccessKey(status))
  const successes = new Set(successResponses(responses))
  const success = all.filter(({ response }) => successes.has(response))
  const failures = all.filter(
    ({ response }) =>
      !isSuccessKey(response.status) &&
      (response.status !== 'default' || isErrorDefault(responses, response) || !hasSuccess),
  )
  const streams = success.flatMap(({ contents }) => contents.filter(({ stream }) => stream))
  const plain = success.flatMap(({ contents }) =>
    preferred(contents.filter(({ stream }) => !stream)),
  )
  const isEmpty = success.some(({ response }) => response.content.length === 0)
  return {
    ...{ plain, streams, isEmpty },
    failures: failures.flatMap(({ contents }) => contents),
    hasOnlyStreams: streams.length > 0 && plain.length === 0 && !isEmpty,
    isDescribed: success.length > 0,
  }
}

/** JSON if it is documented, because the client requests it. */
const preferred = (contents: readonly PlacedContent[]): readonly PlacedContent[] => {
  const json = contents.filter(({ codec }) => codec === 'json')
  return json.length > 0 ? json : contents
}

/** The schema of the items of a stream, as clients return them: the data of an event that is JSON is not a text. */
export const streamItem = ({ schema, place }: PlacedContent): PlacedSchema => ({
  schema,
  place: `${place}/schema`,
})

type Resolver = {
  readonly resolve: (placed: PlacedSchema) => PlacedSchema
  readonly properties: (placed: PlacedSchema) => readonly ObjectProperty[] | undefined
}

/**
 * The schema of the items of a page, by the schema of the response; undefined if the operation has no pages, or if the document does
 * not describe them.
 */
export const schemaOfPageItems = (
  { pages }: Pick<CommonFields, 'pages'>,
  placed: PlacedSchema | undefined,
  types: Resolver,
): PlacedSchema | undefined => {
  if (pages === undefined || placed === undefined) return undefined
  let at = types.resolve(placed)
  for (const key of segmentsOf(pages.items ?? '')) {
    const property = types.properties(at)?.find(({ name }) => name === key)
    if (property === undefined) return undefined
    at = types.resolve(property)
  }
  const { items, oneOf, anyOf } = Object(at.schema) as SchemaObject
  const branches = oneOf ?? anyOf
  if (items === undefined && branches !== undefined) {
    const list = branches.findIndex(
      (one) => Object(types.resolve({ schema: one, place: '' }).schema).items !== undefined,
    )
    if (list === -1) return undefined
    at = types.resolve({
      schema: branches[list] ?? true,
      place: `${at.place}/${oneOf ? 'oneOf' : 'anyOf'}/${list}`,
    })
  }
  const { items: found } = Object(at.schema) as SchemaObject
  return found === undefined ? undefined : { schema: found, place: `${at.place}/items` }
}
