import ts from 'typescript'
import { freeName } from '../text/names.js'
import type { Import } from './header.js'

/**
 * Schemas and operations keep their names in the files that export them, also `Error`, `Object` or `Checks`. Where such a file
 * uses a global of that name, it is written `globalThis.Object`; what it imports from a package under that name is renamed.
 *
 * Both are only called, read from, or applied to types, which an exported schema never is: `Object.hasOwn(…)`, `Checks<…>`.
 */
export function separateNames(
  text: string,
  imports: readonly Import[],
): { readonly text: string; readonly imports: readonly Import[] } {
  const own = new Set([
    ...[...text.matchAll(EXPORTED)].map(([, name = '']) => name),
    ...imports.filter(({ from }) => from.startsWith('.')).map(({ name }) => localName(name)),
  ])
  const others = imports.filter(
    ({ from, kind, name }) =>
      !from.startsWith('.') && kind !== 'schemas' && own.has(localName(name)),
  )
  const namespaces = imports.filter(
    ({ kind, name }) => (kind === 'namespace' || kind === 'types') && declares(text, name),
  )
  const globals = GLOBALS.filter((name) => own.has(name))
  if (others.length + namespaces.length + globals.length === 0) return { text, imports }

  const used = new Set([...own, ...imports.map(({ name }) => localName(name))])
  const renamed = new Map(globals.map((name) => [name, `globalThis.${name}`]))
  for (const { name } of [...others, ...namespaces]) {
    const local = localName(name)
    if (renamed.has(local) && !globals.includes(local)) continue
    const free = freeName(local, used)
    used.add(free)
    renamed.set(local, free)
  }
  const isRenamed = (one: Import) => others.includes(one) || namespaces.includes(one)
  return {
    text: withNames(text, renamed),
    imports: imports.map((one) => {
      if (!isRenamed(one)) return one
      const free = renamed.get(localName(one.name)) ?? one.name
      const isSpace = namespaces.includes(one)
      return { ...one, name: isSpace ? free : `${one.name.split(' ')[0]} as ${free}` }
    }),
  }
}

/** The names of exported values and types at the top level. */
const EXPORTED = /^export (?:const|function|type) ([^\s:=(<]+)/gm

const declares = (text: string, name: string): boolean =>
  [...text.matchAll(EXPORTED)].some(([, exported]) => exported === name)

/** `Type as Type2` -> `Type2` */
const localName = (name: string): string => name.slice(name.lastIndexOf(' ') + 1)

/** The globals that generated code uses. */
const GLOBALS =
  'Array BigInt JSON Math Number Object RangeError Record RegExp String Uint8Array'.split(' ')

/** Replaces names where they are called, read from, or applied to types. */
function withNames(text: string, names: ReadonlyMap<string, string>): string {
  const places: { readonly at: number; readonly name: string; readonly to: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const to = names.get(node.text)
      if (to !== undefined && isApplied(node, types))
        places.push({ at: node.getStart(file), name: node.text, to })
    }
    ts.forEachChild(node, visit)
  }
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const types = new Set(
    [...text.matchAll(/^export type ([^\s=<]+)/gm)].map(([, name = '']) => name),
  )
  visit(file)
  let written = ''
  let end = 0
  for (const { at, name, to } of places) {
    written += text.slice(end, at) + to
    end = at + name.length
  }
  return written + text.slice(end)
}

/** `types` are the names of the schemas that are types in the file. In other files they are values only. */
const isApplied = (node: ts.Identifier, types: ReadonlySet<string>): boolean => {
  const { parent } = node
  if (
    ts.isPropertyAccessExpression(parent) ||
    ts.isCallExpression(parent) ||
    ts.isNewExpression(parent)
  )
    return parent.expression === node
  if (ts.isQualifiedName(parent)) return parent.left === node
  if (!ts.isTypeReferenceNode(parent)) return false
  return (parent.typeArguments ?? []).length > 0 || !types.has(node.text)
}
