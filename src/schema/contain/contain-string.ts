import { escaping } from '../patterns/language.js'
import type { StringTerms } from '../patterns/string-terms.js'
import { formedTerms } from './formats.js'
import type { Gap, GapKind } from './gap.js'
import { stringTerms } from './string-view.js'
import type { Work } from './work.js'

export function containString({ shape, schema, gap }: Work): readonly Gap[] {
  const inner = stringTerms(shape.parts)
  const formed = formedTerms(shape.parts)
  const { minLength, maxLength, pattern } = schema
  const check = (
    kind: GapKind,
    keyword: string,
    says: readonly [unknown, unknown],
    outer: StringTerms,
  ): readonly Gap[] => {
    const escaped = escaping(inner, [outer])
    if (escaped.kind === 'none') return []
    const shown = formed && escaping(formed, [outer])
    const words = [shown, escaped].flatMap((one) => (one?.kind === 'word' ? [one.word] : []))
    const told = gap(kind, {
      keyword,
      inner: says[0],
      outer: says[1],
      candidates: words,
      isCertain: escaped.kind !== 'unknown' && shape.nots.length === 0,
    })
    return [told]
  }
  return [
    ...(minLength === undefined
      ? []
      : check('shortest', 'minLength', [inner.minLength, minLength], { ...ANY_STRING, minLength })),
    ...(maxLength === undefined
      ? []
      : check('longest', 'maxLength', [inner.maxLength, maxLength], { ...ANY_STRING, maxLength })),
    ...(pattern === undefined
      ? []
      : check('pattern', 'pattern', [inner.patterns[0], pattern], {
          ...ANY_STRING,
          patterns: [pattern],
        })),
  ]
}

export const ANY_STRING: StringTerms = { patterns: [], minLength: 0, maxLength: undefined }
