import { UsageError } from './io.js'
import { optionalPeers } from './version.js'

/**
 * The only way from the command line to the service: `load` imports it, or runs what imports more of it. What only the
 * service needs are optional peers of the package; where one is missing, the UsageError says how to install them all.
 */
export const loadService = async <T>(command: string, load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (error) {
    const missing = missingPeer(error)
    if (missing === undefined) throw error
    throw new UsageError(
      `twinspec ${command} needs ${missing}, which is not installed: ${installLine(optionalPeers)}`,
      { cause: error },
    )
  }
}

/** What the mock alone needs, and what generated code does that leans on other libraries. */
const NOT_OF_THE_SERVICE = ['@stoplight/prism-cli', 'abitype', 'msw']

const installLine = (peers: typeof optionalPeers): string => {
  const packages = Object.entries(peers)
    .filter(([name]) => !NOT_OF_THE_SERVICE.includes(name))
    // A caret means something to some shells.
    .map(([name, range]) => `"${name}@${range}"`)
  return `npm install ${packages.join(' ')}`
}

const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/** Node names the package in the message alone: `Cannot find package 'pg' imported from …`. */
const missingPeer = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if (!('code' in error && CODES.includes(error.code))) return missingPeer(error.cause)
  const [, specifier = ''] = /^Cannot find (?:package|module) '([^']+)'/.exec(error.message) ?? []
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  return Object.hasOwn(optionalPeers, name) ? name : undefined
}
