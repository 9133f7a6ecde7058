import type { HttpParameter } from '../../model/api.js'
import type { Checker } from '../../schema/check.js'

/**
 * Which values of a parameter are right and which are wrong when they have become text: `1` is a number and a text, so that it is
 * wrong only where the schema takes neither. What could not be told from another request is neither right nor wrong.
 */
export const inText = (
  parameter: HttpParameter,
  checker: Checker,
): {
  readonly takes: (value: unknown) => boolean
  readonly refuses: (value: unknown) => boolean
} => {
  const { check } = checker.schema(parameter.schema)
  return {
    takes: (value) => isCarried(value, parameter) && check(value),
    refuses: (value) =>
      isCarried(value, parameter) && !readingsOf(String(value)).some((reading) => check(reading)),
  }
}

/** Lists and objects have styles in which one item looks like none of them: what is wrong about those cannot be told. */
const isCarried = (value: unknown, parameter: HttpParameter): boolean => {
  if (typeof value === 'object') return false
  const text = String(value)
  // An empty segment, or a dot, makes another path; a header's ends are trimmed, and it takes no line breaks.
  if (parameter.in === 'path') return text !== '' && !/^\.{1,2}$/.test(text)
  if (parameter.in === 'query') return true
  return (
    text !== '' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/[;,"\\]/.test(text)
  )
}

const readingsOf = (text: string): readonly unknown[] => {
  const items = text.split(',')
  const scalar = (one: string): readonly unknown[] => [one, ...otherThanText(one)]
  const lists = [items, items.map((one) => otherThanText(one)[0] ?? one)]
  return [...scalar(text), ...lists]
}

const otherThanText = (text: string): readonly unknown[] => {
  if (text === 'true' || text === 'false') return [text === 'true']
  if (text === 'null' || text === '') return [null]
  return text.trim() !== '' && Number.isFinite(Number(text)) ? [Number(text)] : []
}
