import { writeJson } from '../shared/json.js'
import { type StreamFormat, streamFormat } from '../shared/media-type.js'

/** How JSON texts follow each other: JSON Lines, or the sequences of RFC 7464. */
export type SequentialFormat = Exclude<StreamFormat, 'events'>

/** The format of JSON Lines or json-seq; undefined for all other media types. */
export const sequentialFormat = (type: string): SequentialFormat | undefined => {
  const format = streamFormat(type)
  return format === 'events' ? undefined : format
}

/** The text of a body with these items. */
export const writeItems = (items: readonly unknown[], format: SequentialFormat): string =>
  items.map((item) => framed(writeJson(item), format)).join('')

/** A JSON text with the separators of its format. */
export const framed = (text: string, format: SequentialFormat): string =>
  format === 'sequence' ? `\u001e${text}\n` : `${text}\n`
