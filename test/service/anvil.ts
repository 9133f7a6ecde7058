import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AnvilOptions,
  freePort,
  spawnAnvil,
  untilListening,
} from '../../src/service/embedded-chain/anvil.js'

/** A real chain with free gas and no accounts, for the tests of what stands on one; `stop` it when done. */
export async function startAnvil(
  chainId = 20180427,
  options: Pick<AnvilOptions, 'timestamp' | 'stateFile'> = {},
): Promise<Anvil> {
  const home = await mkdtemp(join(tmpdir(), 'twinspec-anvil-'))
  const { anvil, port } = await onSomePort({ chainId, home, ...options })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await end(anvil)
      await rm(home, { recursive: true, force: true })
    },
  }
}

export type Anvil = { readonly url: string; readonly stop: () => Promise<void> }

/** A port that was free a moment ago may be another's by now: then the next one is tried. */
async function onSomePort(options: Omit<AnvilOptions, 'port'>) {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort()
    const anvil = spawnAnvil({ ...options, port })
    process.once('exit', () => anvil.kill('SIGKILL'))
    try {
      await untilListening(anvil, options.home)
      return { anvil, port }
    } catch (error) {
      await end(anvil)
      if (tries === 5) throw error
    }
  }
}

async function end(anvil: ChildProcess): Promise<void> {
  if (anvil.pid === undefined || anvil.exitCode !== null || anvil.signalCode !== null) return
  const ended = once(anvil, 'exit')
  anvil.kill('SIGKILL')
  await ended
}
