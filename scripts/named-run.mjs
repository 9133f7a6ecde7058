/** Runs scripts of package.json beside each other. */
import { spawn } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Each line of output begins with the name of its run. Resolves with the exit code. `nice` is added to the priority. */
export const startRun = (name, args, variables, nice = 0) => {
  const child = spawn('npm', ['run', '--silent', ...args], {
    cwd: ROOT,
    env: { ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  // Processes that it starts have its priority.
  if (nice > 0 && child.pid !== undefined)
    setPriority(child.pid, Math.min(getPriority() + nice, 19))
  for (const stream of ['stdout', 'stderr'])
    createInterface({ input: child[stream] }).on('line', (line) => {
      process[stream].write(`${name} | ${line}\n`)
    })
  const end = () => child.kill('SIGTERM')
  process.on('SIGTERM', end)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      process.off('SIGTERM', end)
      resolve(code ?? 1)
    })
  })
}
