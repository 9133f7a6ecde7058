import { posix } from 'node:path'
import ts from 'typescript'

/** The modules that a text imports or re-exports, including types and calls of `import()`, with the positions of their names. */
export const importsOf = (text: string): readonly Imported[] =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos, end }) => ({
    name: fileName,
    pos,
    end,
  }))

/** `pos` and `end` include the quotes. */
export type Imported = { readonly name: string; readonly pos: number; readonly end: number }

/** The text with imported names replaced by the results of `changed`; undefined keeps a name. */
export const withImports = (
  text: string,
  changed: (name: string) => string | undefined,
): string => {
  let result = ''
  let kept = 0
  for (const { name, pos, end } of importsOf(text)) {
    const next = changed(name)
    if (next === undefined) continue
    const at = text.indexOf(name, pos)
    result += text.slice(kept, at) + next
    kept = Math.max(at + name.length, end - 1)
  }
  return result + text.slice(kept)
}

/**
 * The given files and all files that they import, directly or indirectly, sorted. `targets` returns the files that a name
 * refers to in a file; it is empty for other packages. The search ends at files that `read` does not know.
 */
export const reachable = (
  starts: Iterable<string>,
  read: (path: string) => string | undefined,
  targets: (from: string, name: string) => readonly string[],
): readonly string[] => {
  const found = new Set(starts)
  for (const path of found) {
    const text = read(path)
    if (text === undefined) found.delete(path)
    else for (const { name } of importsOf(text)) for (const to of targets(path, name)) found.add(to)
  }
  return [...found].sort()
}

/** The target of a relative name in a file of a package; paths have no `./` prefix. */
export const relativeTarget = (from: string, name: string): string =>
  posix.join(posix.dirname(from), name)

/** The package of an imported name; none for our own modules and Node's. `@scope/name/part` belongs to `@scope/name`. */
export const packageOf = (name: string): readonly string[] =>
  /^[.#]|^node:/.test(name) ? [] : [name.split('/', name.startsWith('@') ? 2 : 1).join('/')]
