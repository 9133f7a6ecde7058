import type { NamedSchema } from '../model/api.js'
import { commentText, jsonText, memberName, stringLiteral } from '../text/escape.js'
import { htmlAsMarkdown } from '../text/html-markdown.js'
import { freeName, isIdentifier } from '../text/names.js'
import { components, header, type Import, importLines, OWN, WIDTH } from './header.js'
import { commentLines } from './paragraphs.js'
import { separateNames } from './separate-names.js'

/** A generated file: its name in the output folder and its whole text. */
export type File = { readonly name: string; readonly text: string }

/**
 * A piece of code with the imports it needs. Fragments nest as values, so that no import is lost. A value of several
 * lines is indented like the line that contains it.
 */
export type Fragment = {
  readonly text: string
  readonly imports: readonly Import[]
  /** Distinguishes a fragment from data that happens to have the same keys. */
  readonly [printed]: true
}

const printed = Symbol('fragment')

export type Printable = string | number | Fragment | readonly Printable[]

/** The template tag of emitters. A list prints one member per line. */
export function code(strings: TemplateStringsArray, ...values: readonly Printable[]): Fragment {
  let text = strings[0] ?? ''
  let margin = marginAfter(text, OUTERMOST)
  const pieces = values.map(fragment)
  for (let index = 0; index < pieces.length; index++) {
    const piece = indented(pieces[index]?.text ?? '', margin.spaces)
    const next = strings[index + 1] ?? ''
    // An empty value alone on its line leaves no spaces.
    const isBlank = piece === '' && margin.isAll && next.startsWith('\n')
    text = (isBlank ? text.slice(0, text.length - margin.spaces) : text + piece) + next
    // Finding the margin takes as long as the piece, and only a further value needs it.
    if (index + 1 === pieces.length) break
    margin = marginAfter(next, next.includes('\n') ? OUTERMOST : marginAfter(piece, margin))
  }
  return made(text, importsOf(pieces))
}

export function join(parts: readonly Printable[], separator = '\n'): Fragment {
  const pieces = parts.map(fragment)
  return made(pieces.map((piece) => piece.text).join(separator), importsOf(pieces))
}

/** A name that declares its own import wherever it is printed. */
export const imported = (name: string, from: string): Fragment =>
  made(name, [{ name, from, kind: 'value' }])

/** The same under another name, if the file has a declaration of that name. */
export const importedBeside = (
  used: Pick<ReadonlySet<string>, 'has'>,
  name: string,
  from: string,
  kind: 'value' | 'type' = 'value',
): Fragment => {
  const free = freeName(name, used)
  const written = free === name ? name : `${name} as ${free}`
  return { ...made(written, [{ name: written, from, kind }]), text: free }
}

export const importedType = (name: string, from: string): Fragment =>
  made(name, [{ name, from, kind: 'type' }])

export const importedNamespace = (name: string, from: string): Fragment =>
  made(name, [{ name, from, kind: 'namespace' }])

/** A type of a module, by the name of the module: `types.CreateOrderInput`. */
export const typeFrom = (space: string, name: string, from: string): Fragment =>
  made(`${space}.${name}`, [{ name: space, from, kind: 'types' }])

/** `HttpSchemas` or `RpcSchemas`: the types of the named schemas. A schema that both documents use has a type in both. */
export const schemaTypes = (usedBy: NamedSchema['usedBy']): Fragment =>
  usedBy === 'http'
    ? made('HttpSchemas', [{ name: 'HttpSchemas', from: './http.types.js', kind: 'schemas' }])
    : made('RpcSchemas', [{ name: 'RpcSchemas', from: './rpc.types.js', kind: 'schemas' }])

/** The name of a declaration of the same module, which may be in another file. */
export const declared = (name: string): Fragment => made(name, [{ name, from: OWN, kind: 'value' }])

export const raw = (text: string): Fragment => made(text, [])

/**
 * Prints data as a literal, on one line if it fits after `column` characters. Fragments in the data are printed as
 * code.
 */
export function literal(data: unknown, column = 0, indent = 0): Fragment {
  if (isFragment(data)) return data
  if (typeof data !== 'object' || data === null) return raw(primitive(data))
  const flat = inline(data, WIDTH - column)
  if (flat) return flat
  const inner = indent + 2
  const isList = Array.isArray(data)
  const members = isList
    ? data.map((item) => literal(item, inner + 1, inner))
    : present(data).map(([key, value]) => {
        const name = memberName(key)
        const piece = asMember(key, literal(value, inner + name.length + 3, inner))
        return isNamed(value, name) ? piece : code`${name}: ${piece}`
      })
  const body = join(members.map((member) => code`${member},`))
  return isList ? code`[\n  ${body}\n]` : code`{\n  ${body}\n}`
}

export const string = stringLiteral

/**
 * A doc comment from paragraphs, wrapped, with HTML as Markdown; empty without any text. Text of a document enters a comment
 * in two places only: here, and in `openapi-types.ts`, which cleans the comments of openapi-typescript. Both use `commentText`.
 */
export function doc(...paragraphs: readonly (string | undefined)[]): Fragment {
  const texts = paragraphs.flatMap((text) => {
    const written = commentText(htmlAsMarkdown(text ?? '').trim())
    return written === '' ? [] : [written]
  })
  const [only = ''] = texts
  if (texts.length === 0) return raw('')
  if (texts.length === 1 && only.length < WIDTH - 10 && !/[\n*]/.test(only)) {
    return raw(`/** ${only} */`)
  }
  const lines = texts.flatMap((text, index) => [...(index > 0 ? [''] : []), ...commentLines(text)])
  if (lines.length === 1 && (lines[0]?.length ?? 0) < WIDTH - 10) return raw(`/** ${lines[0]} */`)
  return raw(['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n'))
}

/** A piece of code below its comment, if there is one. */
export const commented = (comment: Fragment, piece: Fragment): Fragment =>
  comment.text === '' ? piece : code`${comment}\n${piece}`

/** Puts header, imports and body together. */
export function file(name: string, body: Fragment, head = header()): File {
  const own = `./${name.slice(name.lastIndexOf('/') + 1).replace(/\.ts$/, '.js')}`
  const { text: separate, imports: others } = separateNames(
    body.text.trim(),
    body.imports.filter(({ from }) => from !== own && from !== OWN),
  )
  const top = [head, ...importLines(others)].join('\n')
  const aliases = body.imports
    .filter(({ kind }) => kind === 'schemas')
    .map(
      (one) => `type ${one.name} = ${one.from === own ? 'components' : components(one)}['schemas']`,
    )
  const parts = [top, ...(aliases.length > 0 ? [aliases.sort().join('\n')] : []), separate]
  const text = withoutTrailingSpaces(`${parts.join('\n\n')}\n`)
  return { name, text: text.replace(/\n{3,}/g, '\n\n') }
}

function made(text: string, imports: readonly Import[]): Fragment {
  return { text, imports, [printed]: true }
}

const isFragment = (value: unknown): value is Fragment =>
  typeof value === 'object' && value !== null && printed in value

function fragment(value: Printable): Fragment {
  if (isFragment(value)) return value
  return Array.isArray(value) ? join(value) : raw(String(value))
}

/** The members of an object that are not undefined. */
export const present = (data: object) =>
  Object.entries(data).filter(([, value]) => value !== undefined)

const primitive = (data: unknown): string => {
  if (typeof data === 'bigint') return `${data}n`
  return typeof data === 'string' ? string(data) : (JSON.stringify(data) ?? 'undefined')
}

/** Data on one line of at most `width` characters. Undefined if it does not fit; then the rest is not read. */
function inline(data: unknown, width: number): Fragment | undefined {
  if (isFragment(data)) return fits(data, width) ? data : undefined
  if (typeof data !== 'object' || data === null) {
    const piece = raw(primitive(data))
    return fits(piece, width) ? piece : undefined
  }
  const isList = Array.isArray(data)
  const entries: readonly (readonly [string, string, unknown])[] = isList
    ? data.map((item) => ['', '', item])
    : present(data).map(([key, value]) => [key, `${memberName(key)}: `, value])
  if (entries.length === 0) return raw(isList ? '[]' : '{}')
  // The last member has no `, ` after it, which leaves two characters for the brackets.
  let left = isList ? width : width - 2
  const members: Fragment[] = []
  for (const [key, head, value] of entries) {
    const whole = inline(value, left - head.length - 2)
    if (!whole) return undefined
    const piece = asMember(key, whole)
    const text = isNamed(value, key) ? key : head + piece.text
    left -= text.length + 2
    members.push(made(text, piece.imports))
  }
  // Empty members are read without a look at the width.
  if (left < 0) return undefined
  const { text, imports } = join(members, ', ')
  return made(isList ? `[${text}]` : `{ ${text} }`, imports)
}

/**
 * A property that every object has, such as `constructor`, gets no contextual type: the compiler would widen a string
 * in it to `string`. So its value is written with `as const`.
 */
const asMember = (key: string, value: Fragment): Fragment =>
  Object.hasOwn(Object.prototype, key) && /^[[{].*[\]}]$/s.test(value.text)
    ? made(`${value.text} as const`, value.imports)
    : value

/** Whether a member can be written in shorthand, by its name alone. */
const isNamed = (value: unknown, name: string): boolean =>
  isFragment(value) && value.text === name && isIdentifier(name)

const fits = ({ text }: Fragment, width: number) => text.length <= width && !text.includes('\n')

/** The indentation of the last line so far. */
type Margin = {
  readonly spaces: number
  /** Whether the line has no other characters. */
  readonly isAll: boolean
}

const OUTERMOST: Margin = { spaces: 0, isAll: true }

/** The margin after a text was appended. */
function marginAfter(text: string, before: Margin): Margin {
  const start = text.lastIndexOf('\n') + 1
  if (start === 0 && (text === '' || !before.isAll)) return before
  let end = start
  while (text.charCodeAt(end) === SPACE) end++
  const spaces = end - start + (start === 0 ? before.spaces : 0)
  const isAll = end === text.length
  return spaces === 0 && isAll ? OUTERMOST : { spaces, isAll }
}

/** Indents the lines of a piece after the first, except for empty lines. One regular expression does it in one pass. */
function indented(piece: string, spaces: number): string {
  if (spaces === 0 || !piece.includes('\n')) return piece
  const moved = piece.replace(/\n/g, `\n${' '.repeat(spaces)}`)
  return piece.includes('\n\n') ? withoutTrailingSpaces(moved) : moved
}

/** Looks for spaces only at the ends of lines, because most are within lines. */
function withoutTrailingSpaces(text: string): string {
  let clean = ''
  let kept = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    let end = at
    while (end > kept && text.charCodeAt(end - 1) === SPACE) end--
    if (end === at) continue
    clean += text.slice(kept, end)
    kept = at
  }
  return kept === 0 ? text : clean + text.slice(kept)
}

const SPACE = 0x20

/** Each import once. A piece may contain thousands that need the same imports, most of them in the same list. */
function importsOf(pieces: readonly Fragment[]): readonly Import[] {
  let first: readonly Import[] = NONE
  let found: Map<string, Import> | undefined
  let last = first
  for (const { imports } of pieces) {
    if (imports.length === 0 || imports === first || imports === last) continue
    last = imports
    if (first === NONE) {
      first = imports
      continue
    }
    found ??= new Map(first.map((one) => [keyOf(one), one]))
    for (const one of imports) found.set(keyOf(one), one)
  }
  return found === undefined || found.size === first.length ? first : [...found.values()]
}

const NONE: readonly Import[] = []

const keyOf = ({ kind, name, from }: Import): string => `${kind} ${name} ${from}`

export const jsonFile = (name: string, value: unknown): File => ({
  name,
  text: `${jsonText(value, 2)}\n`,
})
