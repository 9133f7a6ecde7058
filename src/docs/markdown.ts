import { nameOf } from '../model/operation-name.js'
import { markdownBlock, markdownCode, markdownText } from '../text/escape.js'
import type { Html } from '../text/html.js'
import { plainText } from './prose.js'
import {
  guidesOf,
  markdownFile,
  type OperationGroup,
  protocolOf,
  SITE_MARK,
  type Site,
} from './site.js'

/**
 * A page in Markdown, for programs that read HTML poorly: the same text and samples. Named schemas are links to their own pages,
 * and are not expanded here.
 */
export const markdownOf = ({ text }: Html): string => `${blocks(parse(text)).join('\n\n')}\n`

type Node = string | Element

type Element = {
  readonly tag: string
  readonly attributes: string
  readonly children: Node[]
}

/** Parses HTML that `html.ts` has written: every element is closed, and `<` and `>` occur only in tags. */
function parse(text: string): readonly Node[] {
  const root: Node[] = []
  const open: Element[] = []
  for (const [piece, isEnd, tag = '', attributes = ''] of text.matchAll(PIECES)) {
    const into = open.at(-1)?.children ?? root
    if (tag === '') into.push(piece.replace(ENTITY, (_, name: string) => characterOf(name)))
    else if (isEnd) open.pop()
    else {
      const element = { tag, attributes, children: [] }
      into.push(element)
      if (!EMPTY.has(tag)) open.push(element)
    }
  }
  return root
}

const PIECES = /<(\/?)([a-z][a-z\d]*)((?:\s[^<>]*)?)>|[^<]+/g
const EMPTY = new Set(['br', 'wbr', 'hr'])
const ENTITY = /&(#?\w+);/g

const characterOf = (name: string): string => {
  if (name.startsWith('#x')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16))
  if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)))
  return CHARACTERS.get(name) ?? `&${name};`
}

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['amp', '&'],
])

const BLOCKS = new Set(
  'p div section article aside header figure figcaption ul ol li dl dt dd table pre h1 h2 h3 h4 h5 h6 details summary blockquote hr button'.split(
    ' ',
  ),
)

function blocks(nodes: readonly Node[]): readonly string[] {
  const found: string[] = []
  let run: Node[] = []
  const flush = () => {
    const line = inline(run)
    if (line !== '') found.push(line)
    run = []
  }
  for (const node of nodes) {
    if (typeof node === 'string' || !BLOCKS.has(node.tag)) run.push(node)
    else {
      flush()
      found.push(...block(node))
    }
  }
  flush()
  return found
}

function block(element: Element): readonly string[] {
  const { tag, attributes, children } = element
  const isLeftOut = tag === 'button' || LEFT_OUT.test(attributes) || isOfNamed(element)
  if (isLeftOut) return []
  if (/^h\d$/.test(tag)) return [`${'#'.repeat(Number(tag[1]))} ${inline(children)}`]
  if (tag === 'pre')
    return [markdownBlock(/class="(\w+)"/.exec(inner(element))?.[1] ?? '', textOf(children))]
  if (tag === 'ul' || tag === 'ol') {
    const items = elementsOf(children).map(
      (item) => `- ${blocks(item.children).join('\n').replaceAll('\n', '\n  ')}`,
    )
    return items.length > 0 ? [items.join('\n')] : []
  }
  if (tag === 'table') return [table(element)]
  if (tag === 'dt') return [`**${inline(children)}**`]
  if (tag === 'blockquote') return [blocks(children).join('\n\n').replace(/^/gm, '> ')]
  return blocks(children)
}

/** Omits forms, and samples in languages other than the first two, because a program that reads this can translate them. */
const LEFT_OUT = /class="try(?:-link)?"|data-language="(?!TypeScript"|curl")/

/** Whether an element expands a named schema, which has its own page. */
const isOfNamed = ({ tag, children }: Element): boolean => {
  const [summary] = tag === 'details' ? elementsOf(children) : []
  return summary !== undefined && /^what (?!is in it)/.test(textOf(summary.children))
}

const inner = ({ children }: Element): string => elementsOf(children)[0]?.attributes ?? ''

const elementsOf = (nodes: readonly Node[]): readonly Element[] =>
  nodes.filter((node) => typeof node !== 'string')

const textOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('')

/** Text on one line; Markdown syntax in it is escaped. */
const inline = (nodes: readonly Node[]): string =>
  nodes.map(inlineNode).join('').replace(/\s+/g, ' ').trim()

function inlineNode(node: Node): string {
  if (typeof node === 'string') return node.replace(MARKS, '\\$&')
  const { tag, attributes, children } = node
  if (tag === 'code') return markdownCode(textOf(children))
  if (tag === 'br') return ' '
  const words = inline(children)
  if (words === '' || tag === 'button') return ''
  if (tag === 'a') return `[${words}](${targetOf(attributes)})`
  if (tag === 'strong' || tag === 'b') return `**${words}**`
  return tag === 'em' || tag === 'i' ? `*${words}*` : BLOCKS.has(tag) ? ` ${words} ` : words
}

const MARKS = /[\\`*[\]<>|]|(?<![a-z\d])_|_(?![a-z\d])/gi

/** The target of a link; links within the site lead to the Markdown pages. */
const targetOf = (attributes: string): string => {
  const href = (/href="([^"]*)"/.exec(attributes)?.[1] ?? '').replace(ENTITY, (_, name: string) =>
    characterOf(name),
  )
  const isOwn = !/^[a-z]+:/i.test(href)
  return (isOwn ? href.replace(/\.html(?=$|#)/, '.md') : href).replace(
    /[\s()<>]/g,
    encodeURIComponent,
  )
}

function table({ children }: Element): string {
  // A table that is HTML of a description may have rows without a head or body.
  const rows = elementsOf(children)
    .flatMap((part) => (part.tag === 'tr' ? [part] : elementsOf(part.children)))
    .map((row) =>
      elementsOf(row.children).map((cell) => blocks(cell.children).join(' ').replaceAll('\n', ' ')),
    )
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')
}

/** `llms.txt`: the content of the site and its addresses, in Markdown (llmstxt.org). */
export function llmsText(site: Site): string {
  const { api, title, operationFiles } = site
  const about = [api.http, api.rpc].map((one) => plainText(one?.description ?? '')).filter(Boolean)
  const link = (words: string, file: string, note = '') =>
    `- [${markdownText(words)}](${encodeURI(markdownFile(file))})${note && `: ${note}`}`
  const groupLines = (group: OperationGroup): readonly string[] => [
    `\n## ${protocolOf(group)}: ${markdownText(group.name)}\n`,
    ...group.operations.map((one) =>
      link(
        nameOf(one),
        operationFiles.get(one.id) ?? '',
        markdownText(plainText(one.summary ?? '')),
      ),
    ),
    ...group.groups.flatMap(groupLines),
  ]
  return [
    `<!-- ${SITE_MARK}. Do not edit. -->`,
    `# ${markdownText(title)}\n`,
    ...about.map((text) => `> ${markdownText(text.slice(0, 300))}\n`),
    '## Guides\n',
    ...guidesOf(site).map(([name, file]) => link(name, file)),
    ...site.groups.flatMap(groupLines),
    '',
  ].join('\n')
}
