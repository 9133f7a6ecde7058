import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { freePort, MNEMONIC, pause } from '../trials/service-process.js'
import { basicVariables } from '../variables.js'
import { type Cluster, startCluster } from './postgres.js'

/** The guide for operators and the files beside it, tried as far as that goes without containers. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

let scratch = ''
let installed = ''
let guide = ''
let dockerfile = ''
const running: ChildProcess[] = []

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'twinspec-operating-'))
  await chmod(scratch, 0o755)
  guide = await readFile(join(ROOT, 'docs/operating.md'), 'utf8')
  dockerfile = await readFile(join(ROOT, 'docs/operating/Dockerfile'), 'utf8')
  installed = join(scratch, 'opt/twinspec/current')
  await mkdir(join(scratch, 'opt/twinspec'), { recursive: true })
  const install = blockWith('install-service').replace('npm ci\n', '')
  await shell(install.replaceAll('/opt', join(scratch, 'opt')))
  await shell(`chmod -R a-w,a+rX ${join(scratch, 'opt')}`)
})

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await shell(`chmod -R u+w ${scratch}`)
  await rm(scratch, { recursive: true, force: true })
})

describe('the installed service, read-only and run by an unprivileged user', () => {
  let service: Started
  let data = ''
  beforeAll(async () => {
    data = await ownFolder('data')
    service = await start(['--data', data], settingsIn(dockerfile))
  })

  it('is what the Dockerfile installs, copies and runs', () => {
    const [, folder = ''] = /^RUN npm run install-service -- (\S+)$/m.exec(dockerfile) ?? []
    expect(dockerfile).toContain(`COPY --from=build ${folder} ${folder}\n`)
    expect(dockerfile).toContain(`WORKDIR ${folder}\n`)
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(entrypoint()).toEqual(['node', 'dist/src/service/main.js'])
  })

  it('is never written over by another installation', async () => {
    await expect(shell(`npm run -s install-service -- ${installed}`)).rejects.toMatchObject({
      code: 2,
      stderr: `install-service: ${installed} exists already: name a new folder for each version\n`,
    })
  })

  it('runs the deployment that the guide shows', async () => {
    const block = blockWith('contract Sum').replaceAll(':8080', `:${service.port}`)
    expect(await shell(block)).toMatch(/"output":\["7"\]/)
  })

  it('serves the reference that was written at the installation', async () => {
    const response = await fetch(`${service.url}/docs/`)
    expect(response.status).toBe(200)
    expect(service.output()).not.toContain('the reference is written now')
  })

  it('is healthy by the command of the Dockerfile until it has stopped', async () => {
    const [, words = '[]'] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile) ?? []
    const [program = '', ...args] = JSON.parse(words.replace('8080', String(service.port)))
    const check = () =>
      promisify(execFile)(program, args).then(
        () => 0,
        ({ code }) => code,
      )
    expect(await check()).toBe(0)
    expect(await service.stop()).toBe(0)
    expect(await check()).toBe(1)
  })

  it('is backed up and restored by the commands of the guide', async () => {
    await service.stop()
    const before = await start(['--data', data])
    const queueId = await submit(before, 'a message')
    await expect.poll(() => statusOf(before, queueId), { timeout: 120_000 }).toBe('completed')
    await before.stop()
    const [backup = '', restore = ''] = blockWith('tar -C')
      .trim()
      .replaceAll('-C /var/lib', `-C ${scratch}`)
      .replaceAll(/zf twinspec.tar.gz twinspec/g, `zf ${scratch}/kept.tar.gz data`)
      .replaceAll('twinspec.tar.gz', `${scratch}/kept.tar.gz`)
      .replace(/ twinspec$/m, ' data')
      .split('\n')
    await shell(backup)
    await rm(data, { recursive: true })
    await shell(restore)
    const after = await start(['--data', data])
    expect(await statusOf(after, queueId)).toBe('completed')
    await after.stop()
  })
})

/** The lines of the guide as they are written, from the folder of a checkout; the port comes from the environment. */
describe('a checkout', () => {
  let checkout = ''
  const env = { TWINSPEC_PORT: '' }
  beforeAll(async () => {
    checkout = await mkdtemp(join(scratch, 'checkout-'))
    for (const name of await readdir(ROOT))
      if (name !== '.git') await symlink(join(ROOT, name), join(checkout, name))
    env.TWINSPEC_PORT = String(await freePort())
  })

  const inCheckout = (commands: string) => shell(commands, env, checkout)

  const startLine = async (line: string): Promise<Started> => {
    const options = { cwd: checkout, env: { ...basicVariables(), ...env }, detached: true }
    const child = spawn('bash', ['-ec', line], options)
    running.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const url = `http://127.0.0.1:${env.TWINSPEC_PORT}`
    await untilResponding(`${url}/ready`, child, () => output)
    const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
      // npm and the service are in the group of the shell.
      const ended = once(child, 'exit')
      process.kill(-(child.pid ?? 0), signal)
      return (await ended)[0] as number | null
    }
    return {
      ...{ url, port: Number(env.TWINSPEC_PORT), output: () => output },
      stop: () => end('SIGTERM'),
      kill: async () => void (await end('SIGKILL')),
    }
  }

  it('has its keys created, listed and revoked before the service starts', async () => {
    const block = blockWith('npm run keys -- create')
    const [create = '', list = '', revoke = ''] = block.trim().split('\n')
    const [, id = ''] = /^ts_(\w+?)_\w+$/m.exec(await inCheckout(create)) ?? []
    expect(await inCheckout(list)).toContain(`${id}  public`)
    expect(await inCheckout(revoke.replace('<id>', id))).toContain(`the key ${id} is revoked`)
    expect(await readdir(join(checkout, 'data'))).toContain('store')
  })

  it('starts with a relative folder, keeps its chain there, and starts again', async () => {
    const line = 'npm start -- --data ./data'
    expect(await readFile(join(ROOT, 'docs/operating.md'), 'utf8')).toContain(line)
    expect(await inCheckout('npm start -- --help')).toContain(line)
    const first = await startLine(line)
    const queueId = await submit(first, 'a message')
    await expect.poll(() => statusOf(first, queueId), { timeout: 120_000 }).toBe('completed')
    await first.stop()
    expect(await readdir(join(checkout, 'data/chain'))).toContain('state')
    const second = await startLine(line)
    expect(await statusOf(second, queueId)).toBe('completed')
    await second.stop()
  })

  it('records usage, which is counted', async () => {
    const [begin = '', count = ''] = blockWith('--usage ./usage').trim().split('\n')
    const recording = await startLine(begin)
    await submit(recording, 'a message')
    await recording.stop()
    await inCheckout(count)
    const usage = JSON.parse(await readFile(join(checkout, 'usage.json'), 'utf8'))
    expect(usage.requests).toBe(1)
    expect(Object.keys(Object.values(usage.consumers)[0] ?? {})).toEqual(['POST /zkt/try-it-out'])
  })

  it('says why its chain does not start', async () => {
    await writeFile(join(checkout, 'file'), '')
    await expect(startLine('npm start -- --data ./file/data')).rejects.toThrow(
      join(checkout, 'file/data'),
    )
  })
})

describe('the gateways of compose.yaml', () => {
  let cluster: Cluster | undefined
  let chain: ComposeService
  let node: Node
  const gateways: Started[] = []
  beforeAll(async () => {
    cluster = await startCluster()
    if (cluster === undefined) return
    const compose = parse(await readFile(join(ROOT, 'docs/operating/compose.yaml'), 'utf8'), {
      merge: true,
    })
    const { first, second } = compose.services
    chain = compose.services.node
    expect(second.environment).toEqual(first.environment)
    node = await startNode(chain, await ownFolder('chain'))
    const hosts: Readonly<Record<string, string>> = {
      DATABASE_URL: cluster.url,
      TWINSPEC_UPSTREAM: node.url,
      TWINSPEC_MNEMONIC: MNEMONIC,
    }
    const names = Object.keys(first.environment)
    const env = Object.fromEntries(names.map((name) => [name, hosts[name] ?? '']))
    for (const _ of [first, second])
      gateways.push(await start(['--try-it-out-limit', '0'], { ...settingsIn(dockerfile), ...env }))
  })
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    await node?.stop()
    await cluster?.stop()
  })

  test('one answers for the other, and nothing is lost where one is killed or the node restarts', async ({
    skip,
  }) => {
    if (cluster === undefined) return skip('there is no PostgreSQL here')
    const [first, second] = gateways as [Started, Started]
    const texts = Array.from({ length: 30 }, (_, index) => `message ${index}`)
    const queueIds = await Promise.all(texts.map((text) => submit(first, text)))
    await first.kill()
    await node.restart()
    for (const queueId of queueIds)
      await expect
        .poll(() => statusOf(second, queueId), { timeout: 120_000, interval: 200 })
        .toBe('completed')
    // The commands of the guide, with the second gateway at work.
    const commands = blockWith('pg_dump').replaceAll('twinspec.dump', `${scratch}/twinspec.dump`)
    const [dump = '', restore = ''] = commands.trim().split('\n')
    const env = { DATABASE_URL: cluster.url }
    await shell(dump, env)
    const later = await submit(second, 'after the backup')
    await expect.poll(() => statusOf(second, later), { timeout: 120_000 }).toBe('completed')
    await second.stop()
    await shell(restore, env)
    const upstream = { DATABASE_URL: cluster.url, TWINSPEC_MNEMONIC: MNEMONIC }
    const third = await start(['--upstream', node.url], { ...settingsIn(dockerfile), ...upstream })
    gateways.push(third)
    for (const queueId of queueIds) expect(await statusOf(third, queueId)).toBe('completed')
    // As the guide says: the store does not know what came after the backup, and its nonces are spent.
    expect(await statusOf(third, later)).toBeUndefined()
    const states: unknown[] = []
    for (const text of ['one', 'two', 'three']) {
      const queueId = await submit(third, text)
      await expect
        .poll(() => statusOf(third, queueId), { timeout: 120_000 })
        .toMatch(/completed|error/)
      states.push(await statusOf(third, queueId))
    }
    expect(states).toEqual(['error', 'completed', 'completed'])
  })

  test('another one starts by the commands of the guide, with a node and a mnemonic made by them', async ({
    skip,
  }) => {
    if (cluster === undefined) return skip('there is no PostgreSQL here')
    await shell(`psql -qc 'create database guide' ${cluster.url}`)
    const [, flags = ''] = /`anvil (--chain-id .*?)`/.exec(guide) ?? []
    const own = { ...chain, command: [...flags.split(' '), '--quiet'] }
    const bare = await startNode(own, await ownFolder('bare'))
    const database = new URL(cluster.url)
    database.pathname = '/guide'
    const mnemonic = await shell('npm run -s keys -- mnemonic')
    const port = await freePort()
    const block = blockWith('export DATABASE_URL')
      .replace('postgres://user:password@127.0.0.1/twinspec', database.href)
      .replace('…', mnemonic.trim())
      .replace('http://127.0.0.1:8545', bare.url)
      .replace('--port 8081', `--port ${port} --no-docs`)
    const options = { cwd: ROOT, env: basicVariables(), detached: true }
    const shellOfGuide = spawn('bash', ['-ec', block], options)
    running.push(shellOfGuide)
    const url = `http://127.0.0.1:${port}`
    try {
      await untilResponding(`${url}/ready`, shellOfGuide, () => '')
      const queueId = await submit({ url }, 'a message')
      await expect.poll(() => statusOf({ url }, queueId), { timeout: 120_000 }).toBe('completed')
    } finally {
      // npm and the service are in the group of the shell.
      process.kill(-(shellOfGuide.pid ?? 0), 'SIGTERM')
      await once(shellOfGuide, 'exit')
    }
    await bare.stop()
  })
})

test('all commands of the guide are tried here, apart from those of a container engine', () => {
  const tried = TRIED.map(blockWith)
  expect(blocks().filter((block) => !tried.includes(block) && !/^docker /.test(block))).toEqual([])
})

/** The blocks of shell commands in the guide. */
const blocks = (): readonly string[] =>
  [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)

/** A part of each block that a test runs. */
const TRIED = [
  'contract Sum',
  'install-service',
  'npm run keys -- create',
  '--usage ./usage',
  'export DATABASE_URL',
  'tar -C',
  'pg_dump',
] as const

const blockWith = (text: (typeof TRIED)[number]): string => {
  const found = blocks().find((block) => block.includes(text))
  if (found === undefined) throw new Error(`docs/operating.md has no commands with ${text}`)
  return found
}

const entrypoint = (): readonly string[] =>
  JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]')

/** What the image sets in its environment. It listens on every address there, and on the loopback here. */
const settingsIn = (text: string): Readonly<Record<string, string>> => {
  const pairs = /^ENV (.*)$/m.exec(text)?.[1]?.split(' ') ?? []
  const settings = Object.fromEntries(pairs.map((pair) => pair.split('=')))
  expect(settings.TWINSPEC_HOST).toBe('0.0.0.0')
  return { ...settings, TWINSPEC_HOST: '127.0.0.1' }
}

const shell = async (commands: string, env: Readonly<Record<string, string>> = {}, cwd = ROOT) => {
  const options = { cwd, env: { ...basicVariables(), ...env } }
  const { stdout } = await promisify(execFile)('bash', ['-ec', commands], options)
  return stdout
}

/** A folder that belongs to the unprivileged user. */
const ownFolder = async (name: string): Promise<string> => {
  const folder = join(scratch, name)
  await mkdir(folder)
  if (isRoot) await chown(folder, NOBODY, NOBODY)
  return folder
}

const spawnUnprivileged = (
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess => {
  const [program = '', ...args] = words
  const child = spawn(program, args, {
    cwd: installed,
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), ...env },
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  running.push(child)
  return child
}

type Started = {
  readonly url: string
  readonly port: number
  readonly output: () => string
  readonly stop: () => Promise<number | null>
  readonly kill: () => Promise<void>
}

const start = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> => {
  const port = await freePort()
  const child = spawnUnprivileged([...entrypoint(), '--port', String(port), ...args], env)
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  const url = `http://127.0.0.1:${port}`
  await untilResponding(`${url}/ready`, child, () => output)
  return {
    url,
    port,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM')
      const [code] =
        child.exitCode === null && child.signalCode === null ? await ended : [child.exitCode]
      return code as number | null
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

type Node = {
  readonly url: string
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** The test chain of compose.yaml, on the loopback and with its state in `folder`. */
const startNode = async (
  { entrypoint: words, command, environment }: ComposeService,
  folder: string,
): Promise<Node> => {
  const port = await freePort()
  const args = command.map((word) =>
    word.replace('--host=0.0.0.0', '--host=127.0.0.1').replace('/data/', `${folder}/`),
  )
  const run = async () => {
    const env = { ...environment, HOME: folder }
    const child = spawnUnprivileged([...words, ...args, '--port', String(port)], env)
    await untilResponding(`http://127.0.0.1:${port}`, child, () => '')
    return child
  }
  let child = await run()
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return {
    url: `http://127.0.0.1:${port}`,
    restart: async () => {
      await stop()
      child = await run()
    },
    stop,
  }
}

type ComposeService = {
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const untilResponding = async (url: string, child: ChildProcess, output: () => string) => {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null || child.signalCode !== null) break
    const response = await fetch(url).catch(() => undefined)
    await response?.arrayBuffer()
    if (response && response.status !== 503) return
    await pause(100)
  }
  throw new Error(`${url} does not respond:\n${output()}`)
}

const submit = async ({ url }: Pick<Started, 'url'>, text: string): Promise<string> => {
  const response = await fetch(`${url}/zkt/try-it-out`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ arguments: text }),
  })
  const { queueId } = (await response.json()) as { readonly queueId: string }
  return queueId
}

const statusOf = async (
  { url }: Pick<Started, 'url'>,
  queueId: string,
): Promise<string | undefined> => {
  const response = await fetch(`${url}/gtn/v1/zkt/transaction/${queueId}`)
  return ((await response.json()) as { readonly status?: string }).status
}
