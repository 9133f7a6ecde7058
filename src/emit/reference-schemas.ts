import type { Api, Operation } from '../model/api.js'
import { referredName, type Schema } from '../schema/schema.js'
import {
  htmlText,
  inOneLine,
  markdownBlock,
  markdownCode,
  markdownProse,
  markdownProseLine,
  markdownText,
} from '../text/escape.js'
import { raw } from './file.js'
import { typeExpression } from './type-expression.js'

/** A block quotation of `x-not-shown`, with its assumption in a second paragraph. */
export function unknowns({
  notShown,
  assumption,
}: Pick<Operation, 'notShown' | 'assumption'>): string | undefined {
  if (!notShown) return undefined
  const assumed = assumption ? `\n>\n> **Assumed:** ${markdownProseLine(assumption)}` : ''
  return `> **Not shown:** ${markdownProseLine(notShown)}${assumed}`
}

export function schemasPart(api: Api): string {
  const parts = [...api.schemas.values()].map(({ name, schema }) => {
    const known = typeof schema === 'object' ? schema : {}
    const unknown = unknowns({
      notShown: textOf(known['x-not-shown']),
      assumption: textOf(known['x-assumption']),
    })
    const comments = [proseMarkdown(known.description), unknown].flatMap((one) =>
      one ? [`\n\n${one}`] : [],
    )
    const pattern = known.pattern ? ` // ${inOneLine(known.pattern)}` : ''
    const text = `type ${name} = ${typeExpression(schema, raw).text}${pattern}`
    return `${heading('schema', name)}${comments.join('')}\n\n${markdownBlock('ts', text)}`
  })
  return parts.length > 0 ? `## Schemas\n\n${parts.join('\n\n')}` : ''
}

/** A type in a cell: named schemas are links. */
export function type(schema: Schema): string {
  const name = referredName(schema)
  if (name !== undefined) return link('schema', name)
  return markdownCode(
    typeExpression(schema, raw).text.replace(TYPE_PIECES, (piece, literal: string | undefined) => {
      if (literal !== undefined) return literal
      if (piece.startsWith('/')) return ''
      if (!piece.includes('\n')) return piece
      if (piece.startsWith('{')) return '{ '
      return piece.endsWith('}') ? ' }' : '; '
    }),
  )
}

/** The pieces that a type on one line keeps, omits or joins: a string literal, a comment, or a line end with its bracket. */
const TYPE_PIECES = /('(?:[^'\\]|\\.)*'?)|\/\*\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/)?\s*|\{\s*|\s+\}?/gs

/** A link to the heading of an operation or a schema. */
export const link = (kind: Headed, name: string): string =>
  `[${markdownText(name)}](#${anchorOf(kind, name)})`

/** A heading with an anchor of its own: renderers give equal ones, and those of descriptions, anchors by their order. */
export const heading = (kind: Headed, name: string): string =>
  `### <a id="${htmlText(anchorOf(kind, name))}"></a>${markdownText(name)}`

type Headed = 'operation' | 'schema'

/** No renderer makes an anchor with a dot from the text of a heading. */
const anchorOf = (kind: Headed, name: string): string => `${kind}.${name}`

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

export const proseMarkdown = (text: string | undefined): string | undefined =>
  text?.trim() ? markdownProse(text) : undefined
