import type { MediaType } from '../../model/api.js'
import { covers, essence } from '../../runtime/shared/media-type.js'

/**
 * What a response declares for a Content-Type: the most specific key where several fit (OpenAPI, Response Object, content), so
 * the type itself, its range, any type at all; and JSON of any kind for JSON of another where nothing else does. Undefined
 * where none fits.
 */
export const mediaTypeOf = (content: readonly MediaType[], sent: string): MediaType | undefined =>
  content
    .filter(({ type }) => covers(type, sent))
    .toSorted((one, other) => farness(one.type, sent) - farness(other.type, sent))[0]

/** Whether it is declared by what it is, or by its range, and not as JSON of another kind alone. */
export const isDeclaredType = ({ type }: MediaType, sent: string): boolean =>
  farness(type, sent) < 4

const farness = (declared: string, sent: string): number => {
  const [want, got] = [essence(declared), essence(sent)]
  if (want === got) return plain(declared) === plain(sent) ? 0 : 1
  if (want === '*/*') return 3
  return want.endsWith('/*') ? 2 : 4
}

/** Parameters and all, so that two versions of one type are told apart. */
const plain = (type: string): string => type.replace(/\s+/g, '').toLowerCase()
