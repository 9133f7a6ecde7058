import type { StreamContent } from '../operation.js'
import type { StreamFormat } from '../shared/media-type.js'

/** An item as the text that its media type has for it. Throws a TypeError for what the media type cannot hold. */
export const writeItem = (item: unknown, format: StreamFormat, content: StreamContent): string => {
  if (format !== 'events') return framed(jsonOf(item), format)
  if (content.item === 'data') return `${writeData(item, content)}\n`
  const { data, event, id, retry } = Object(item) as Readonly<Record<string, unknown>>
  const fields = Object.entries({ event, id, retry }).map(([name, value]) =>
    value === undefined || value === null ? '' : writeField(name, String(value)),
  )
  return `${fields.join('')}${data === undefined ? '' : writeData(data, content)}\n`
}

/** What ends a stream whose end is declared. */
export const writeEnd = (format: StreamFormat, { end }: StreamContent): string => {
  if (end === undefined) return ''
  return format === 'events' ? `${dataLines(end)}\n` : framed(end, format)
}

const framed = (text: string, format: StreamFormat): string =>
  format === 'sequence' ? `\u001e${text}\n` : `${text}\n`

const writeData = (value: unknown, { data }: StreamContent): string => {
  const isText = data !== 'json' && typeof value === 'string'
  return dataLines(isText ? value : jsonOf(value))
}

const dataLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('')

const writeField = (name: string, value: string): string => {
  if (/[\r\n\0]/.test(value))
    throw new TypeError(`the field ${name} of an event has a line end or a NUL: remove it`)
  return `${name}: ${value}\n`
}

const jsonOf = (value: unknown): string => {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined)
    throw new TypeError(`an item of a stream is ${typeof value}, which JSON cannot carry`)
  return text
}
