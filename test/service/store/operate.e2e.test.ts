import { execFile, spawn } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'
import { basicVariables } from '../../variables.js'
import { startAnvil } from '../anvil.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twinspec-operate-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The lines of the log. Lines for people, which go to standard output, are left out. */
const logOf = (service: ServiceProcess) =>
  service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

describe('a checkout', () => {
  const checkout = () => join(folder, 'checkout')
  beforeAll(async () => {
    for (const name of ['src', 'generated', 'scripts', 'package.json'])
      await cp(join(ROOT, name), join(checkout(), name), { recursive: true })
    await linkPackages(join(ROOT, 'node_modules'), join(checkout(), 'node_modules'))
  })

  it('npm start after a change of the sources leaves the files of a running service alone', async () => {
    const first = npmStart(checkout())
    await first.ready
    const before = await filesIn(checkout())
    await appendFile(join(checkout(), 'src/service/main.ts'), '\n// A newer version.\n')
    const second = npmStart(checkout())
    await second.ready
    const after = await filesIn(checkout())
    const changed = [...before].filter(([path, state]) => after.get(path) !== state)
    expect(changed.map(([path]) => path)).toEqual(['src/service/main.ts'])
    await Promise.all([first.stop(), second.stop()])
    // A third start of the same sources builds nothing.
    const third = npmStart(checkout())
    await third.ready
    expect(await filesIn(checkout())).toEqual(after)
    await third.stop()
  })

  it('npm ci makes the first files of the embedded store', async () => {
    const modules = join(checkout(), 'node_modules')
    // The place of the package decides where they are kept.
    await rm(join(modules, '@electric-sql/pglite'))
    const pglite = 'node_modules/@electric-sql/pglite'
    await cp(join(ROOT, pglite), join(checkout(), pglite), { recursive: true })
    const { stderr } = await promisify(execFile)(process.execPath, ['scripts/prepare.mjs'], {
      cwd: checkout(),
    })
    expect(stderr).toBe('')
    const kept = await readdir(join(modules, '.cache/twinspec'))
    expect(kept.filter((name) => name.startsWith('cluster-'))).toHaveLength(1)
  })
})

describe('a service with the embedded store and chain', () => {
  let service: ServiceProcess
  beforeAll(async () => {
    service = await startServiceProcess({ args: ['--no-docs'] })
  })
  afterAll(() => service?.stop())

  it('the start logs nothing about methods that the embedded chain lacks', () => {
    expect(logOf(service).filter((line) => 'methods' in line)).toEqual([])
  })

  it.skipIf(process.platform !== 'linux')(
    'the process takes no more memory after the start than the guide says',
    async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(metrics) ?? []
      expect(Number(bytes)).toBeGreaterThan(50e6)
      // 300 to 480 MB on different machines: the system decides how much of the memory of WebAssembly is resident.
      expect(Number(bytes)).toBeLessThan(550e6)
    },
  )

  it('the metrics say whether each part responds, and what the chain takes', async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toContain('twinspec_part_ready{part="store"} 1')
    expect(metrics).toContain('twinspec_part_ready{part="node"} 1')
    expect(metrics).toMatch(/^twinspec_chain_memory_bytes \d+$/m)
  })

  it('the last line of the log says that nothing is kept', async () => {
    expect(await service.stop()).toBe(0)
    expect(logOf(service).at(-1)).toMatchObject({
      level: 'info',
      msg: 'the service has stopped: 0 open requests were finished, 0 were interrupted; nothing is kept, because there is no --data folder',
    })
  })
})

it('the last line of the log says what was finished and what is kept', async () => {
  const anvil = await startAnvil()
  const data = join(folder, 'data')
  const call = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(anvil.url, { method: 'POST', headers, body })
    return ((await response.json()) as { readonly result: unknown }).result
  }
  const to = `0x${'11'.repeat(20)}`
  await call('anvil_setCode', to, '0x00')
  await call('evm_setAutomine', false)
  const args = ['--data', data, '--upstream', anvil.url, '--stop-seconds', '4']
  const service = await startServiceProcess({ args })
  try {
    // It waits for a block that does not come, and gets its response at the stop.
    const submitted = fetch(`${service.url}/zkt/try-it-out`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        abi: ['function put()'],
        to,
        method: 'put',
        arguments: [],
        wait: true,
      }),
    })
    const pooled = async () => ((await call('txpool_status')) as { pending: string }).pending
    await expect.poll(pooled, { timeout: 120_000 }).toBe('0x1')
    expect(await service.stop()).toBe(0)
    expect((await submitted).status).toBe(200)
    expect(logOf(service).at(-1)).toMatchObject({
      level: 'info',
      finished: 1,
      interrupted: 0,
      unfinished: 1,
      msg: `the service has stopped: 1 open requests were finished, 0 were interrupted; 1 unfinished submissions are kept in ${data} and continue at the next start`,
    })
  } finally {
    if (service.isRunning()) await service.crash()
    await anvil.stop()
  }
})

/** A folder of packages with a `.cache` of its own. */
const linkPackages = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) {
    if (name.startsWith('@')) await linkPackages(join(from, name), join(to, name))
    else if (name !== '.cache') await symlink(join(from, name), join(to, name))
  }
}

/** Each file below a folder, links left out, with what changes when it is written. */
const filesIn = async (top: string): Promise<ReadonlyMap<string, string>> => {
  const entries = await readdir(top, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const states = files.map(async (file) => {
    const { ino, mtimeMs, size } = await stat(file)
    return [file.slice(top.length + 1), `${ino} ${mtimeMs} ${size}`] as const
  })
  return new Map(await Promise.all(states))
}

/** As `npm start -- --port 0` does; `ready` rejects where the service ends first. */
const npmStart = (cwd: string) => {
  const child = spawn('npm', ['start', '--', '--port', '0', '--no-docs'], {
    cwd,
    env: basicVariables(),
    detached: true,
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (output.includes('The service is ready at')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(`it ended:\n${output}`)))
  })
  return {
    ready,
    stop: () =>
      new Promise<void>((resolve) => {
        child.removeAllListeners('exit').once('exit', () => resolve())
        process.kill(-(child.pid ?? 0), 'SIGTERM')
      }),
  }
}
