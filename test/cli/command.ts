import type { Progress } from '../../src/cli/io.js'
import { run } from '../../src/cli/run.js'

/** Runs a command line in this process; `code` settles when it ends, `said` grows meanwhile. */
export const command = (
  args: readonly string[],
  { terminal = false, ...options }: Options = {},
) => {
  const said = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text
    },
    isTTY: terminal,
    hasColors: () => terminal,
  })
  const code = run(args, {
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    // Of this repository, which tests of other documents do not mean.
    env: { TWINSPEC_CONFIG: 'none', ...options.env },
    now: options.now ?? (() => 0),
    ...(options.stdin && { stdin: options.stdin }),
    ...(options.today && { today: options.today }),
    ...(options.startProgress && { startProgress: options.startProgress }),
    interrupted: () => options.signal ?? new AbortController().signal,
  })
  return { said, code }
}

type Options = {
  readonly terminal?: boolean
  readonly now?: () => number
  readonly today?: () => Date
  readonly startProgress?: () => Progress
  readonly signal?: AbortSignal
  readonly stdin?: () => AsyncIterable<Uint8Array>
  readonly env?: Readonly<Record<string, string>>
}

/** As `command`, when it has ended. */
export const ran = async (args: readonly string[], options: Options = {}) => {
  const { said, code } = command(args, options)
  return { code: await code, ...said }
}

export const OPENRPC = `openrpc: 1.3.2
info: { title: Clock, version: '1' }
methods:
  - name: clock_now
    params: []
    result: { name: now, schema: { type: string } }
`

export const OPENAPI = `openapi: 3.0.3
info: { title: Clock, version: '1' }
paths:
  /now:
    get:
      operationId: getNow
      responses:
        '200':
          description: The time
          content:
            application/json:
              schema: { type: string }
              example: noon
`
