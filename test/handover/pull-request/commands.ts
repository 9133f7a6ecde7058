/** What a line of a step's output asks of GitHub, if it asks for anything. */
export type Annotation = {
  readonly kind: 'error' | 'warning' | 'notice'
  /** From the top of the repository; undefined where it is about no file. */
  readonly file: string | undefined
  readonly line: number | undefined
  readonly title: string
  readonly message: string
}

/** Reads lines as GitHub does: an annotation, a line of the log, or undefined where it stops or begins to listen. */
export const createReader = () => {
  let end: string | undefined
  return (line: string): Annotation | string | undefined => {
    const [, name = '', given = '', data = ''] =
      /^\s*::([\w-]+)(?: ([^:]*))?::(.*)$/.exec(line) ?? []
    if (end !== undefined) {
      if (name !== end) return line
      end = undefined
      return undefined
    }
    if (name === 'stop-commands') {
      end = data
      return undefined
    }
    if (!isKind(name)) return line
    const properties = new Map(
      given.split(',').map((pair) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at), unescaped(pair.slice(at + 1))] as const
      }),
    )
    const number = properties.get('line')
    return {
      kind: name,
      file: properties.get('file'),
      line: number === undefined ? undefined : Number(number),
      title: properties.get('title') ?? '',
      message: unescaped(data),
    }
  }
}

const isKind = (name: string): name is Annotation['kind'] =>
  ['error', 'warning', 'notice'].includes(name)

const unescaped = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%')

/** What GITHUB_OUTPUT holds: `name=value`, or a value of several lines between two marks. */
export const outputsIn = (text: string): Readonly<Record<string, string>> => {
  const outputs: Record<string, string> = {}
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [, name, mark] = /^([\w-]+)<<(.+)$/.exec(line) ?? []
    if (name !== undefined && mark !== undefined) {
      const end = lines.indexOf(mark, at + 1)
      if (end < 0) throw new Error(`the output ${name} has no end`)
      outputs[name] = lines.slice(at + 1, end).join('\n')
      at = end
      continue
    }
    const [, key, value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? []
    if (key !== undefined) outputs[key] = value
    else if (line !== '') throw new Error(`this is no output: ${line}`)
  }
  return outputs
}
