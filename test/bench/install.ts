import { spawn } from 'node:child_process'

/** Installs what a folder's lock file names, and says so even where there is no terminal to show progress on. */
export async function install(folder: string, what: string): Promise<void> {
  process.stderr.write(`installing ${what} by npm ci in ${folder}\n`)
  await ended('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder)
}

/** Resolves when the command has ended with 0; what it says of faults goes to our stderr. */
export const ended = (command: string, argv: readonly string[], cwd: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, [...argv], {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} ${argv[0]} in ${cwd} ended with ${code}`))
    })
  })
