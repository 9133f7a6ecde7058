import { execFile } from 'node:child_process'
import { basicVariables } from '../../variables.js'
import { type Told, toldIn } from './project.js'

/** What a program tells, which has to end by itself. */
export const runProgram = (command: readonly string[], cwd: string): Promise<Told> => {
  const [program = '', ...args] = command
  const settings = {
    cwd,
    env: { ...basicVariables(), DENO_NO_UPDATE_CHECK: '1' },
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  } as const
  return new Promise((resolve) => {
    execFile(program, args, settings, (error, stdout, stderr) => {
      const told = stdout
        .split('\n')
        .map(toldIn)
        .find((one) => one !== undefined)
      if (!error && told) return resolve(told)
      const lines = stderr.split('\n').filter((line) => line.trim() !== '')
      const reason = lines.find((line) => /^\s*\w*error\b.*:/i.test(line)) ?? lines.at(-1) ?? ''
      const ending = error?.killed
        ? `it did not end within ${PATIENCE / 1000} s`
        : `it ended with ${error?.code ?? 0}: ${reason.trim()}`
      resolve({ fault: told ? `${ending}, having told ${JSON.stringify(told)}` : ending })
    })
  })
}

/** Milliseconds, of which a program needs a tenth of a second on a machine at rest. */
const PATIENCE = 60_000
