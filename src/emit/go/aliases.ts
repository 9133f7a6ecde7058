import { runtimeFiles } from '../languages/runtime-files.js'

/** The text of aliases of the runtime, with what `go doc` does not show of them: exported fields and methods, as a block of each comment. */
export const documentedAliases = (text: string): string => {
  if (!text.includes(ALIAS)) return text
  const source = runtimeFiles('go').flatMap((file) => file.text.split('\n'))
  const lines = text.split('\n')
  return lines
    .flatMap((line, at) => {
      const [start = '', named] = line.split(ALIAS)
      const above = lines[at - 1]?.trimStart() ?? ''
      if (named === undefined || !above.startsWith('//')) return [line]
      const indent = start.startsWith('\t') ? '\t' : ''
      const block = declarationOf(named.split('[')[0] ?? '', source)
      return block.length === 0
        ? [line]
        : [`${indent}//`, ...block.map((one) => `${indent}//\t${one}`), line]
    })
    .join('\n')
}

const ALIAS = ' = runtime.'

/** The exported part of a type of the runtime. */
const declarationOf = (name: string, source: readonly string[]): readonly string[] => {
  const at = source.findIndex(
    (line) => line.startsWith(`type ${name} `) || line.startsWith(`type ${name}[T any] `),
  )
  const line = source[at] ?? ''
  if (line.includes(' func(')) return [line]
  const body = line.endsWith('{') ? source.slice(at + 1, source.indexOf('}', at)) : []
  const members = exportedMembers(body)
  const methods = source.flatMap((one) => {
    const [receiver = '', ...rest] = one.split(') ')
    const owner = receiver.split(' ')[2]?.replace('*', '').replace('[T]', '')
    const isOwn = one.startsWith('func (') && owner === name && /^[A-Z]/.test(rest[0] ?? '')
    return isOwn ? [one.split(' {')[0] ?? ''] : []
  })
  return [...(members.length > 0 ? [line, ...members, '}'] : []), ...methods]
}

/** Fields and methods with an exported name, and the comments above them. */
const exportedMembers = (body: readonly string[]): readonly string[] => {
  const found: string[] = []
  let comments: string[] = []
  for (const line of body) {
    if (line.startsWith('\t//')) comments.push(line)
    else {
      if (/^\t(\w+\.)?[A-Z]/.test(line)) found.push(...comments, line)
      comments = []
    }
  }
  return found
}
