import { execFile } from 'node:child_process'
import { basicVariables } from '../../variables.js'
import { type Outcome, outcomeIn } from './project.js'

/** What a program tells, which has to end by itself. */
export const runProgram = (command: readonly string[], cwd: string): Promise<Outcome> => {
  const [program = '', ...args] = command
  const settings = {
    cwd,
    env: { ...basicVariables(), DENO_NO_UPDATE_CHECK: '1' },
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  } as const
  return new Promise((resolve) => {
    execFile(program, args, settings, (error, stdout, stderr) => {
      const outcome = stdout
        .split('\n')
        .map(outcomeIn)
        .find((one) => one !== undefined)
      if (!error && outcome) return resolve(outcome)
      const lines = stderr.split('\n').filter((line) => line.trim() !== '')
      const reason = lines.find((line) => /^\s*\w*error\b.*:/i.test(line)) ?? lines.at(-1) ?? ''
      const ending = error?.killed
        ? `it did not end within ${PATIENCE / 1000} s`
        : `it ended with ${error?.code ?? 0}: ${reason.trim()}`
      resolve({ fault: outcome ? `${ending}, having printed ${JSON.stringify(outcome)}` : ending })
    })
  })
}

/** Milliseconds, of which a program needs a tenth of a second on a machine at rest. */
const PATIENCE = 60_000
