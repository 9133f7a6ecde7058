/**
 * Reads a runtime expression of Arazzo 1.0 (its section "Runtime Expressions"), with the accessors
 * that conditions may add to one: `$response.body#/id`, `$steps.submit.outputs.hash`,
 * `$inputs.items[0].name`. Undefined where the text is none.
 */
export const parseExpression = (text: string): Expression | undefined => {
  const alone = /^\$(url|method|statusCode)$/.exec(text)
  if (alone) return { kind: alone[1] as 'url' | 'method' | 'statusCode' }
  const body = /^\$(request|response)\.body(?:#((?:\/[^/]*)*))?([.[].*)?$/.exec(text)
  if (body) {
    const accessors = accessorsOf(body[3] ?? '')
    if (!accessors) return undefined
    const kind = body[1] as 'request' | 'response'
    return { kind, from: 'body', pointer: body[2] ?? '', accessors }
  }
  const field = /^\$(request|response)\.(header|query|path)\.([^\s#[\]{}]+)$/.exec(text)
  if (field) {
    const [, kind, from, name = ''] = field
    return { kind: kind as 'request' | 'response', from: from as 'header' | 'query' | 'path', name }
  }
  const value = /^\$(inputs|outputs)\.([\w-]+)(.*)$/.exec(text)
  if (value)
    return withRest({ kind: value[1] as 'inputs' | 'outputs', name: value[2] ?? '' }, value[3])
  const other = /^\$(steps|workflows)\.([\w-]+)\.(inputs|outputs)\.([\w-]+)(.*)$/.exec(text)
  if (other) {
    const [, kind, id = '', of, name = '', rest] = other
    if (kind === 'steps') return of === 'outputs' ? withRest({ kind, id, name }, rest) : undefined
    return withRest({ kind: 'workflows', id, of: of as 'inputs' | 'outputs', name }, rest)
  }
  const known = /^\$(sourceDescriptions|components)\.([\w-]+)\.([\w.-]+)$/.exec(text)
  if (!known) return undefined
  const [, kind, first = '', second = ''] = known
  return kind === 'components'
    ? { kind, section: first, name: second }
    : { kind: 'sourceDescriptions', name: first, field: second }
}

export type Expression =
  | { readonly kind: 'url' | 'method' | 'statusCode' }
  | ({ readonly kind: 'request' | 'response'; readonly from: 'body' } & Rest)
  | {
      readonly kind: 'request' | 'response'
      readonly from: 'header' | 'query' | 'path'
      readonly name: string
    }
  | ({ readonly kind: 'inputs' | 'outputs'; readonly name: string } & Rest)
  | ({ readonly kind: 'steps'; readonly id: string; readonly name: string } & Rest)
  | ({
      readonly kind: 'workflows'
      readonly id: string
      readonly of: 'inputs' | 'outputs'
      readonly name: string
    } & Rest)
  | { readonly kind: 'sourceDescriptions'; readonly name: string; readonly field: string }
  | { readonly kind: 'components'; readonly section: string; readonly name: string }

/** Where in the value: a JSON pointer (`''` is the whole), then accessors (`.name`, `[0]`). */
type Rest = { readonly pointer: string; readonly accessors: readonly string[] }

/** The expressions of a value: all of a text that begins with `$`, else what is in `{$…}`. */
export const expressionsIn = (text: string): readonly string[] =>
  /^\$[A-Za-z]/.test(text)
    ? [text]
    : [...text.matchAll(/\{(\$[^}]*)\}/g)].map(([, expression = '']) => expression)

const withRest = <Base extends object>(base: Base, rest = ''): (Base & Rest) | undefined => {
  const [, access = '', pointer = ''] = /^([^#]*)(?:#((?:\/[^/]*)*))?$/.exec(rest) ?? ['', '?']
  const accessors = accessorsOf(access)
  return accessors && { ...base, pointer, accessors }
}

const accessorsOf = (text: string): readonly string[] | undefined =>
  /^(?:\.[\w-]+|\[\d+\])*$/.test(text)
    ? [...text.matchAll(/\.([\w-]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index ?? '')
    : undefined
