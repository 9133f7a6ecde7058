/** Seconds after which a request is worth sending again that a part of the service was not there for. */
export const RETRY_SECONDS = 5

/** What callers without a key are answered while our own chain takes more memory than it should. */
export const CHAIN_FULL =
  'the chain has little memory left, and takes this from callers with an API key only: try again later, or use a key'
