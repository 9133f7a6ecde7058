/** The service cannot start as it was asked to: a sentence that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/**
 * The reason that a part could not start, as a StartError. Programming errors stay what they are.
 */
export const startError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error.name === 'StartError') return error
  if (isFault(error)) return error
  return new StartError(explained(error), { cause: error })
}

const explained = (error: Error): string => {
  const { code, port } = error as { readonly code?: unknown; readonly port?: unknown }
  if (code === 'EADDRINUSE')
    return `port ${port} is in use: end what listens there, or give --port another one (0 takes a free one)`
  if (code === 'EACCES' && port !== undefined)
    return `port ${port} may not be used by this user: give --port another one, above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `--host is no address of this machine: ${error.message}`
  if (error.name === 'MnemonicError') return `the mnemonic cannot be used: ${error.message}`
  return error.message
}

const FAULTS = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError']

const isFault = ({ name }: Error): boolean => FAULTS.includes(name)
