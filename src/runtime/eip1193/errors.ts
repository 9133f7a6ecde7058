import { CallError, HttpError, RpcError } from '../errors.js'

/** How a provider refuses: `code` by EIP-1193 or EIP-1474, or the server's own with its `data`. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  declare readonly code: number
  declare readonly data: unknown

  constructor(
    { message, ...details }: { code: number; message: string; data?: unknown },
    options?: ErrorOptions,
  ) {
    super(message, options)
    Object.assign(this, { data: undefined }, details)
  }
}

/** What a call of ours came to, in the words of a provider; the error itself is its cause. */
export const providerError = (cause: unknown): ProviderRpcError => {
  const message = cause instanceof Error ? cause.message : String(cause)
  const data = cause instanceof RpcError ? cause.data : undefined
  return new ProviderRpcError({ code: codeOf(cause), message, data }, { cause })
}

const codeOf = (error: unknown): number => {
  if (error instanceof RpcError) return error.code
  if (error instanceof HttpError) return STATUS[error.status] ?? INTERNAL
  return error instanceof CallError ? (REASON[error.reason] ?? INTERNAL) : INTERNAL
}

/** EIP-1474: internal error. */
const INTERNAL = -32603

/** 4100 unauthorized, -32005 limit exceeded, 4900 disconnected. */
const STATUS: Readonly<Record<number, number>> = {
  401: 4100,
  403: 4100,
  429: -32005,
  502: 4900,
  503: 4900,
  504: 4900,
}

const REASON: Readonly<Partial<Record<CallError['reason'], number>>> = {
  network: 4900,
  timeout: 4900,
  'invalid-input': -32602,
}
