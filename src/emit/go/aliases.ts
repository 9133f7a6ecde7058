import { runtimeFiles } from '../languages/runtime-files.js'

/** The text of aliases of the runtime, with what `go doc` does not show of them: exported fields and methods, as a block of each comment. */
export const documentedAliases = (text: string): string => {
  const source = runtimeFiles('go')
    .map((file) => file.text)
    .join('\n')
  return text.replace(ALIAS, (alias: string, comments: string, name: string) => {
    const lines = declarationOf(name, source)
    const indent = /^\t*/.exec(alias)?.[0] ?? ''
    const block = lines.map((line) => `${indent}//\t${line}`)
    return lines.length === 0
      ? alias
      : [comments.trimEnd(), `${indent}//`, ...block, alias.slice(comments.length)].join('\n')
  })
}

/** The comment above an alias, and the name of its type. */
const ALIAS = /^((?:\t*\/\/.*\n)+)(?:type |\t)\w+(?:\[T any\])? = runtime\.(\w+)/gm

/** The exported part of a type of the runtime. */
const declarationOf = (name: string, source: string): readonly string[] => {
  const [line, kind] =
    new RegExp(`^type ${name}(?:\\[T any\\])? (func|struct|interface)\\b.*`, 'm').exec(source) ?? []
  if (line === undefined) return []
  if (kind === 'func') return [line]
  const body = line.endsWith('{') ? (source.split(`\n${line}\n`)[1]?.split('\n}')[0] ?? '') : ''
  const members = exportedMembers(body)
  const methods = [
    ...source.matchAll(
      new RegExp(`^func \\(\\w+ \\*?${name}(?:\\[T\\])?\\) [A-Z]\\w*\\(.*?(?= \\{)`, 'gm'),
    ),
  ].map(([head]) => head)
  const head = line.replace(/\{.*$/, '{')
  return [...(members.length > 0 ? [head, ...members, '}'] : []), ...methods]
}

/** Fields and methods with an exported name, and the comments above them. */
const exportedMembers = (body: string): readonly string[] => {
  const found: string[] = []
  let comments: string[] = []
  for (const line of body.split('\n')) {
    if (line.startsWith('\t//')) comments.push(line)
    else {
      if (/^\t(\w+\.)?[A-Z]/.test(line)) found.push(...comments, line)
      comments = []
    }
  }
  return found
}
