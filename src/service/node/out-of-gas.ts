import { RpcError } from 'twinspec/runtime/errors'

/*
 * What nodes say of a call that ran out of gas. Their codes for it differ and mean other errors too, so their texts decide:
 * `gas required exceeds allowance (N)` and `out of gas` of geth, `Out of gas: gas required exceeds allowance: N` and
 * `EVM error OutOfGas` of anvil.
 */

/** A message begins with such a text. A contract that reverts may say it further on. */
export const isOutOfGas = (message: string): boolean =>
  /^(EVM error )?out ?of ?gas\b|^gas required exceeds allowance/i.test(message)

/** A message has such a text anywhere: for errors that are known not to come from a contract. */
export const mentionsOutOfGas = (message: string): boolean =>
  /out ?of ?gas|gas required exceeds/i.test(message)

/** The units of gas that were allowed, where the message has them. */
export const gasAllowance = (message: string): string | undefined =>
  /gas required exceeds allowance\D*(\d+)/i.exec(message)?.[1]

/** A call ran out of the gas that this service allowed, which the node does not say. */
export class OutOfGas extends RpcError {
  readonly allowance: number

  constructor({ code, method }: RpcError, allowance: number, options: ErrorOptions) {
    const message = `out of gas: gas required exceeds allowance (${allowance})`
    super({ code, message, ...(method && { method }) }, options)
    this.allowance = allowance
  }
}
