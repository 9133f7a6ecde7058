import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindStore } from '../../../src/service/store/open-store.js'
import type { Store } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'

const owner = {
  chainId: 20180427,
  genesis: `0x${'AB'.repeat(32)}`,
  signer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
} as const

describe.each(eachStore)('a store on $kind belongs', ({ openEmpty }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
    await Promise.all([bindStore(store, owner), bindStore(store, owner)])
  })
  afterAll(() => store.close())

  it('to whom it was first used by, however that is written', async () => {
    await bindStore(store, owner)
    await bindStore(store, {
      ...owner,
      genesis: `0x${'ab'.repeat(32)}`,
      signer: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    })
  })

  it.each([
    [
      'chain id',
      { chainId: 101010 },
      'the store belongs to chain 20180427, and the node is on chain 101010: start with a node of that chain, or with another store (another --data folder, or another DATABASE_URL)',
    ],
    [
      'chain of the same id',
      { genesis: `0x${'cd'.repeat(32)}` },
      `the store belongs to another chain 20180427 (its first block is 0x${'ab'.repeat(32)}, the node's is 0x${'cd'.repeat(32)}): start with a node of that chain, or with another store (another --data folder, or another DATABASE_URL)`,
    ],
    [
      'mnemonic',
      { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      'the store belongs to another mnemonic (its first wallet is 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, this one’s is 0x70997970C51812dc3A010C7d01b50e0d17dc79C8): start with that mnemonic, or with another store (another --data folder, or another DATABASE_URL)',
    ],
  ] as const)('to no other %s', async (_, other, message) => {
    const refused = await bindStore(store, { ...owner, ...other }).catch((error) => error)
    expect([refused.name, refused.message]).toEqual(['UsageError', message.replace('’', "'")])
    await bindStore(store, owner)
  })
})
