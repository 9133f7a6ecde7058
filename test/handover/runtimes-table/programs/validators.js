import { Address, ethSendRawTransaction } from '@acme/zkt/validators'

/** The long text is what a WebAssembly kernel looks at, where it may be compiled. */
export const use = () => {
  const long = `0x${'ab'.repeat(5_000)}`
  const { check } = ethSendRawTransaction.params
  return {
    address: [Address.check(`0x${'0a'.repeat(20)}`), Address.check(`0x${'0g'.repeat(20)}`)],
    params: [check([long]), check([`${long}zz`]), check([])],
  }
}
