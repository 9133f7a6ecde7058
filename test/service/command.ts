import { type Program, run } from '../../src/service/command-line.js'

/** Runs a program of the service in this process; `code` settles when it ends, `printed` grows meanwhile. */
export const command = (program: Program, args: readonly string[], options: Options = {}) => {
  const printed = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof printed) => ({
    write: (text: string) => {
      printed[name] += text
    },
  })
  const code = run(program, args, {
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    env: options.env ?? {},
    interrupted: () => options.signal ?? new AbortController().signal,
  })
  return { printed, code }
}

type Options = {
  readonly signal?: AbortSignal
  readonly env?: Readonly<Record<string, string>>
}

/** As `command`, when it has ended. */
export const ran = async (program: Program, args: readonly string[], options: Options = {}) => {
  const { printed, code } = command(program, args, options)
  return { code: await code, ...printed }
}
