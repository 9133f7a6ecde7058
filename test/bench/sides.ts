import { fork } from 'node:child_process'
import type { Measured, Tell } from './rounds.js'

/** Runs a bundled program that races in a process of its own; gives its sides in their order. */
export const runSides = (
  program: string,
  job: Readonly<Record<string, unknown>>,
  report: Tell,
): Promise<readonly Measured[]> =>
  new Promise((resolve, reject) => {
    const child = fork(program, [JSON.stringify(job)], { execArgv: ['--expose-gc'] })
    child.on('message', (message: Message) => {
      if ('report' in message) return report(message.report)
      const sides = Object.entries('sides' in message ? message.sides : {})
      resolve(sides.map(([name, milliseconds]) => ({ name, milliseconds })))
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${program} ended with exit code ${code}`)))
  })

type Message =
  | { readonly report: string }
  | { readonly sides: Readonly<Record<string, number>> }
  | { readonly mutants: number }
