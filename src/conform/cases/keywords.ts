import type { Api, Operation } from '../../model/api.js'
import { parametersSchema } from '../../model/params.js'
import { isJson } from '../../runtime/shared/media-type.js'
import type { Schema } from '../../schema/schema.js'
import { dereference } from '../../schema/schema.js'
import { ownName } from '../operation-name.js'
import { declaredKeywords } from '../values/trials.js'
import { idOf } from './input.js'

/** What coverage calls a keyword of a part of an operation's requests: `eth_call params/prefixItems/0/properties/to pattern`. */
export const keywordName = (operation: Operation, part: string, place: string): string =>
  `${ownName(operation)} ${part}${place.startsWith('/') ? '' : ' '}${place}`

/** Every keyword of every request, by the name that it is covered by. */
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

/** No text is wrong for a parameter that takes texts, and params of another type are no call (JSON-RPC 2.0, 4.2). */
const isAnyText = ({ kind }: Operation, schema: Schema): boolean =>
  kind === 'rpc' || (typeof schema === 'object' && (schema.type ?? []).includes('string'))

const partsOf = (operation: Operation): readonly (readonly [part: string, schema: Schema])[] => {
  if (operation.kind === 'rpc') {
    // By name and by position are two ways of saying the same.
    const part = operation.paramStructure === 'by-name' ? 'params by name' : 'params'
    return [[part, parametersSchema(operation)]]
  }
  const contents = (operation.body?.content ?? []).filter(({ type }) => isJson(type))
  const parameters = operation.parameters.filter(
    ({ secret, mediaType }) => secret !== true && mediaType === undefined,
  )
  return [
    ...contents.map(({ type, schema }) => [`body ${type}`, schema] as const),
    ...parameters.map((one) => [idOf(one), one.schema] as const),
  ]
}
