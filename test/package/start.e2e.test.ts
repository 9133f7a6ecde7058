import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../import-graph.js'

it('SIGTERM to `npm start` reaches the process of the service', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-start-'))
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  // The line of this package, in one whose service only says that it starts and ends.
  const start = scripts.start.replace('scripts/start.mjs', 'service.mjs')
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start } }))
  await writeFile(
    join(folder, 'service.mjs'),
    `process.once('SIGTERM', () => { console.log('stopped'); process.exit() })
     setInterval(() => {}, 1_000)
     console.log('ready')`,
  )
  const npm = spawn('npm', ['start'], { cwd: folder, detached: true })
  try {
    let output = ''
    npm.stdout.on('data', (text) => {
      output += text
    })
    await expect.poll(() => output, { timeout: 120_000 }).toContain('ready')
    npm.kill('SIGTERM')
    await expect.poll(() => output, { timeout: 120_000 }).toContain('stopped')
  } finally {
    try {
      if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL')
    } catch {
      // The whole group has ended.
    }
    await rm(folder, { recursive: true, force: true })
  }
})
