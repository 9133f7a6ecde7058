/**
 * The text of a member of a JSON object, indented by two spaces and otherwise as it was written: each number keeps its digits.
 * `text` is valid JSON and has the member at its top.
 */
export const memberText = (text: string, name: string): string => {
  const tokens = text.match(TOKENS) ?? []
  const quoted = JSON.stringify(name)
  let depth = 0
  const start = tokens.findIndex((token, at) => {
    depth += depthOf(token)
    return depth === 1 && token === quoted && tokens[at + 1] === ':'
  })
  let printed = ''
  depth = 0
  for (let at = start + 2; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    const step = depthOf(token)
    const isEmpty = step < 0 && depthOf(tokens[at - 1] ?? '') > 0
    depth += step
    if (depth < 0 || (depth === 0 && token === ',')) break
    if (step < 0 && !isEmpty) printed += newLine(depth)
    printed += token === ':' ? ': ' : token
    const isOpened = step > 0 && depthOf(tokens[at + 1] ?? '') >= 0
    if (isOpened || token === ',') printed += newLine(depth)
  }
  return `${printed}\n`
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs

const depthOf = (token: string): number =>
  token === '{' || token === '[' ? 1 : token === '}' || token === ']' ? -1 : 0

const newLine = (depth: number): string => `\n${'  '.repeat(depth)}`
