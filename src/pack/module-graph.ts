import { posix } from 'node:path'
import ts from 'typescript'

/** The modules that a text imports or re-exports, types and calls of `import()` included, with the places of their names. */
export const importsOf = (text: string): readonly Imported[] =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos, end }) => ({
    name: fileName,
    pos,
    end,
  }))

/** `pos` and `end` hold the quotes. */
export type Imported = { readonly name: string; readonly pos: number; readonly end: number }

/** The text with every imported name changed by `rename`; undefined leaves one as it is. */
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
 * The files that some files import, directly or not, with themselves, sorted. `targets` returns the files that a name
 * means in a file; it is empty for other packages. The search ends at files that `read` does not know.
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

/** What a relative name means in a file of a package, whose paths have no `./` before them. */
export const relativeTarget = (from: string, name: string): string =>
  posix.join(posix.dirname(from), name)

/** The package that an imported name belongs to: none where it is ours or Node's; `@scope/name/part` is of `@scope/name`. */
export const packageOf = (name: string): readonly string[] =>
  /^[.#]|^node:/.test(name) ? [] : [name.split('/', name.startsWith('@') ? 2 : 1).join('/')]
