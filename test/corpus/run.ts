import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/** Milliseconds that one command may take. */
export const LONGEST = 300_000

export type Ran = {
  readonly code: number | undefined
  readonly output: string
  readonly seconds: number
}

/** Runs one Node program in a folder; `code` is undefined after a timeout. */
export function run(args: readonly string[], cwd: string): Promise<Ran> {
  const started = performance.now()
  return new Promise((done, failed) => {
    const env = { ...process.env, NO_COLOR: '1' }
    const child = spawn(process.execPath, args, { cwd, env, timeout: LONGEST })
    let output = ''
    const read = (chunk: Buffer) => {
      output = (output + String(chunk)).slice(0, 1_000_000)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', failed)
    child.once('close', (code) => {
      done({ code: code ?? undefined, output, seconds: (performance.now() - started) / 1_000 })
    })
  })
}

/** The first line that says what is wrong. */
export function problemOf({ code, output }: Omit<Ran, 'seconds'>): string {
  // Colours of tools that ignore NO_COLOR, and folders of this machine, say nothing to a reader.
  const plain = stripVTControlCharacters(output).replace(
    /(?:file:\/\/)?\/[\w./-]*\/(?:node_modules\/|documents\/|twinspec-[\w-]+\/)/g,
    '',
  )
  const lines = plain.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((one) => /\berror\b/i.test(one)) ?? lines.at(0) ?? 'no output'
  const errors = lines.filter((one) => /\berror\b/i.test(one)).length
  const text = line.trim().replace(/\s+/g, ' ').slice(0, 240)
  return `${code === undefined ? 'timeout' : `exit ${code}`}, ${errors} errors: ${text}`
}
