import { createRequire } from 'node:module'
import type { Settings } from './settings.js'

/**
 * Throws Node's own error for the first package that is missing of those that the service needs with these settings, whether its
 * start loads it or, as the compiler, a process of ours does later.
 */
export const assertPeers = ({ upstream, databaseUrl, data }: PeerSettings): void => {
  const { resolve } = createRequire(import.meta.url)
  const needed = [
    ...ALWAYS,
    ...(upstream === undefined ? ['@foundry-rs/anvil'] : []),
    ...(databaseUrl === undefined ? ['@electric-sql/pglite'] : ['pg']),
    ...(upstream === undefined || (databaseUrl === undefined && data !== undefined)
      ? ['fs-native-extensions']
      : []),
  ]
  for (const name of needed) {
    try {
      resolve(`${name}/package.json`)
    } catch (error) {
      // A package that shows nobody its manifest is there all the same.
      if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') throw error
    }
  }
}

type PeerSettings = Pick<Settings, 'data' | 'databaseUrl' | 'upstream'>

const ALWAYS = ['@fastify/cors', 'fastify', 'pino', 'prom-client', 'solc', 'viem']
