import { type ChildProcess, spawn } from 'node:child_process'
import { run } from '../src/cli/run.js'

/** Starts the service with its limits off, judges it with the key that it prints, and ends it, whatever comes of it. */
const [out = 'conform.html', ...flags] = process.argv.slice(2)
const limits = ['rpc', 'zkt', 'try-it-out', 'status'].map((name) => `--${name}-limit=0`)
const serve = ['src/service/main.ts', '--port=0', '--log-level=error', ...limits]
const service = spawn(process.execPath, [...process.execArgv, ...serve], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = new Promise<void>((resolve) => service.once('exit', () => resolve()))
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort())
process.on('exit', () => service.kill('SIGKILL'))

/** What is in the lines that it prints when it is ready; undefined where it ends before that. */
const bannerOf = async (child: ChildProcess): Promise<string | undefined> => {
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk)
    if (text.includes('Ctrl-C')) return text
  }
  return undefined
}

try {
  const banner = await bannerOf(service)
  const [, url] = /ready at (\S+)/.exec(banner ?? '') ?? []
  const [, key] = /API key {2}(\S+)/.exec(banner ?? '') ?? []
  if (url === undefined || key === undefined) throw new Error('the service did not start')
  const usual = ['--rate', '0', '--profile', 'strict', '--format', 'html', '--out', out]
  process.exitCode = await run(['conform', url, ...usual, ...flags], {
    stdout: process.stdout,
    stderr: process.stderr,
    env: { ...process.env, TWINSPEC_KEY: key },
    now: () => performance.now(),
    interrupted: () => ending.signal,
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
} finally {
  service.kill('SIGTERM')
  await ended
}
