import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { MARK } from './mark.js'

/**
 * A module of `page/` and whatever it imports as one plain script. A page that is opened from a disk may load scripts but no
 * modules, as browsers give each file an origin of its own. Where the package was built, that was done already.
 */
export function linkScript(name: Script): string {
  const known = written.get(name) ?? readLinked(name) ?? link(name)
  written.set(name, known)
  return known
}

export const SCRIPTS = ['theme', 'page', 'search', 'try-it'] as const

type Script = (typeof SCRIPTS)[number]

/** Where a build keeps a script that it has linked. */
export const linkedFile = (name: Script): URL => new URL(`./linked/${name}.js`, import.meta.url)

const readLinked = (name: Script): string | undefined =>
  existsSync(linkedFile(name)) ? readFileSync(linkedFile(name), 'utf8') : undefined

/** Our own sources stay as they are while a program runs, however many sites it writes. */
const written = new Map<Script, string>()

function link(name: Script): string {
  // Loaded only now: it takes as long as writing a site does.
  const ts: Compiler = createRequire(import.meta.url)('typescript')
  const modules = new Map<string, string>()
  const add = (url: string): void => {
    if (modules.has(url)) return
    modules.set(url, '')
    const { text, wants } = asCommonJs(ts, url)
    const keys = wants.map((specifier) => {
      const target = resolved(specifier, url)
      add(target)
      return [specifier, keyOf(modules, target)]
    })
    const wired = new Map(keys as [string, string][])
    const linked = text.replace(REQUIRE, (_, specifier: string) => `need(${wired.get(specifier)})`)
    modules.set(url, linked)
  }
  const entry = new URL(`./page/${name}${OURS}`, import.meta.url).href
  add(entry)
  const bodies = [...modules.values()].map((text) => `(exports, need) => {\n${text}\n}`)
  return `// ${MARK}: what the pages do in a browser. Do not edit.
{
const made = []
const modules = [${bodies.join(',\n')}]
const need = (at) => {
  if (!made[at]) {
    made[at] = {}
    modules[at](made[at], need)
  }
  return made[at]
}
need(0)
}
`
}

/** The sources where the toolkit is worked on, what was compiled of them elsewhere. */
const OURS = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

const keyOf = (modules: ReadonlyMap<string, string>, url: string): string =>
  String([...modules.keys()].indexOf(url))

const resolved = (specifier: string, from: string): string =>
  specifier.startsWith('.')
    ? new URL(specifier.replace(/\.js$/, OURS), from).href
    : import.meta.resolve(specifier)

type Compiler = typeof import('typescript')
type Node = import('typescript').Node

function asCommonJs(ts: Compiler, url: string) {
  const source = readFileSync(fileURLToPath(url), 'utf8')
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      removeComments: true,
      verbatimModuleSyntax: false,
    },
  })
  const wants = [...outputText.matchAll(REQUIRE)].map(([, specifier = '']) => specifier)
  return { text: withoutIndents(ts, outputText), wants: [...new Set(wants)] }
}

/** A fifth of a script is what its lines begin with; within a template the same is text. */
function withoutIndents(ts: Compiler, text: string): string {
  const file = ts.createSourceFile('', text, ts.ScriptTarget.ES2022)
  const templates: { readonly from: number; readonly to: number }[] = []
  const visit = (node: Node): void => {
    if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node))
      templates.push({ from: node.getStart(file), to: node.end })
    else ts.forEachChild(node, visit)
  }
  visit(file)
  return text.replace(/(?<=\n) +/g, (spaces, at: number) =>
    templates.some(({ from, to }) => from < at && at < to) ? spaces : '',
  )
}

const REQUIRE = /\brequire\("([^"]+)"\)/g
