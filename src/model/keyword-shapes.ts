import { compilePattern } from '../runtime/validate.js'
import { locate, type Origin } from './bundle.js'
import type { SchemaReader } from './dialect.js'
import { DocumentError, type Finding } from './finding.js'
import { isObject } from './json.js'
import { joinPointer } from './pointer.js'

export function regex(value: unknown, place: Origin): string {
  try {
    if (typeof value !== 'string') throw new TypeError('it is no string')
    compilePattern(value)
    return value
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DocumentError(
      {
        rule: 'pattern-does-not-compile',
        level: 'error',
        location: locate(place),
        message: `${JSON.stringify(value)} is no regular expression of ECMAScript: ${reason.replace(/^Invalid regular expression: /, '')}`,
      },
      { cause },
    )
  }
}

export function expectList(key: string, value: unknown, reader: SchemaReader): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw misshapen(key, 'a list', reader)
}

export function expectMap(key: string, value: unknown, reader: SchemaReader) {
  if (isObject(value)) return value
  throw misshapen(key, 'an object', reader)
}

export function expectNumber(key: string, value: unknown, reader: SchemaReader): number {
  if (typeof value === 'number') return value
  throw misshapen(key, 'a number', reader)
}

export const misshapen = (key: string, due: string, reader: SchemaReader) =>
  new DocumentError({
    rule: 'schema-keyword-is-misshapen',
    level: 'error',
    location: locate(reader.here, key),
    message: `${key} must be ${due}`,
  })

export const unsupported = (key: string, reader: SchemaReader) =>
  new DocumentError({
    rule: 'schema-keyword-is-not-supported',
    level: 'error',
    location: locate(reader.here, key),
    message: `the schema keyword ${key} is not supported: write the schema without it`,
  })

export const unknown = (key: string, reader: SchemaReader): Finding => ({
  rule: 'schema-keyword-is-unknown',
  level: 'note',
  location: locate(reader.here, key),
  message: `${key} is no keyword of JSON Schema and is ignored; an extension begins with x-`,
})

export function at(reader: SchemaReader, ...path: readonly (string | number)[]): Origin {
  const { document, pointer } = reader.here
  return { document, pointer: joinPointer(pointer, ...path) }
}
