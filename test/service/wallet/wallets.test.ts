import { type Hex, keccak256, parseTransaction } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/service/usage-error.js'
import { createWallets } from '../../../src/service/wallet/wallets.js'

const MNEMONIC = 'test test test test test test test test test test test junk'
const wallets = createWallets(MNEMONIC)

describe('wallets', () => {
  it.each([
    [0, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    [1, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    [9, '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'],
  ])('number %i is the one that everyone derives', (index, address) => {
    expect(wallets.wallet(index)).toMatchObject({ index, address })
  })

  it('are kept while they are used, and derived again to the same', () => {
    const first = wallets.wallet(0)
    expect(wallets.wallet(0)).toBe(first)
    for (let index = 1; index <= 1_000; index++) wallets.wallet(index)
    const again = wallets.wallet(0)
    expect(again).not.toBe(first)
    expect(again.address).toBe(first.address)
  })

  it.each([-1, 0.5, 2 ** 31, Number.NaN])('%d is no index', (index) => {
    expect(() => wallets.wallet(index)).toThrow(RangeError)
  })

  it('come from a mnemonic alone', () => {
    expect(() => createWallets(`${MNEMONIC} junk`)).toThrow(UsageError)
  })
})

describe('a signature', () => {
  const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
  const unsigned = { chainId: 20180427, nonce: 0, gas: 21_000n, data: '0x' as Hex }

  it.each([
    { ...unsigned, to },
    { ...unsigned, to, nonce: 127, data: '0x00' },
    { ...unsigned, to, nonce: 128, data: '0x7f' },
    { ...unsigned, to, nonce: 65_536, data: '0x80' },
    { ...unsigned, nonce: 5, gas: 2n ** 40n, data: `0x${'60'.repeat(55)}` },
    { ...unsigned, chainId: 1, data: `0x${'6001'.repeat(28)}` },
    { ...unsigned, chainId: 2 ** 52, data: `0x${'ab'.repeat(70_000)}` },
  ] as const)('$# is the one that viem makes', async (transaction) => {
    const { raw, hash } = await wallets.wallet(3).sign(transaction)
    const theirs = mnemonicToAccount(MNEMONIC, { addressIndex: 3 })
    const wanted = await theirs.signTransaction({
      ...transaction,
      type: 'legacy',
      gasPrice: 0n,
      value: 0n,
    })
    expect(raw === wanted).toBe(true)
    expect(hash).toBe(keccak256(wanted))
  })

  it('of a thousand nonces is always well-formed', async () => {
    // About eight of a thousand have an r or s that begins with a zero byte, which RLP must leave out.
    const wallet = wallets.wallet(0)
    const theirs = mnemonicToAccount(MNEMONIC)
    let shortened = 0
    for (let nonce = 0; nonce < 1_000; nonce++) {
      const { raw } = await wallet.sign({ ...unsigned, to, nonce })
      const { r, s } = parseTransaction(raw)
      if (BigInt(r ?? 0) >> 248n === 0n || BigInt(s ?? 0) >> 248n === 0n) {
        shortened += 1
        const legacy = { type: 'legacy', gasPrice: 0n, value: 0n } as const
        expect(raw).toBe(await theirs.signTransaction({ ...unsigned, ...legacy, to, nonce }))
      }
    }
    expect(shortened).toBeGreaterThan(0)
  })

  it.each([
    { ...unsigned, to, data: '0x123' },
    { ...unsigned, to, data: '0xzz' },
    { ...unsigned, to: '0x1234' },
  ] as const)('is refused for what is not hexadecimal: $#', async (transaction) => {
    await expect(wallets.wallet(0).sign({ ...transaction })).rejects.toThrow(TypeError)
  })
})
