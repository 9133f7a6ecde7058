import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/service/usage-error.js'
import {
  checkedMnemonic,
  newMnemonic,
  readOrMakeMnemonic,
} from '../../../src/service/wallet/mnemonic.js'
import { temporaryFolder } from '../../temporary-folder.js'

const root = temporaryFolder('mnemonic')
let folders = 0
const fresh = () => join(root, String(folders++))

const VALID = [
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  'legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful legal will',
  'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo vote',
]

const NO_MNEMONIC =
  'the mnemonic cannot be used: it must be 12, 15, 18, 21 or 24 words of the English list of BIP-39, the last of which has the checksum'

describe('a mnemonic', () => {
  // From the test vectors of BIP-39.
  it.each(VALID)('%s', (text) => expect(checkedMnemonic(text)).toBe(text))

  it('may be spaced and cased anyhow', () => {
    expect(checkedMnemonic(`  ${VALID[0]?.toUpperCase().replaceAll(' ', '\n ')}\n`)).toBe(VALID[0])
  })

  it.each([
    '',
    'zoo zoo',
    VALID[0]?.replace('about', 'secretword'),
    VALID[0]?.replace('about', 'zoo'),
  ])('is not %j', (text) => {
    expect(() => checkedMnemonic(text ?? '')).toThrow(new UsageError(NO_MNEMONIC))
  })

  it('is new each time it is made', () => {
    const made = Array.from({ length: 50 }, newMnemonic)
    expect(new Set(made).size).toBe(50)
    expect(made.map(checkedMnemonic)).toEqual(made)
  })
})

describe('the file of the mnemonic', () => {
  it('is made for its owner alone, and read from then on', async () => {
    const folder = fresh()
    const made = await readOrMakeMnemonic(folder)
    expect(readdirSync(folder)).toEqual(['mnemonic'])
    const file = join(folder, 'mnemonic')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toBe(`${made}\n`)
    expect(await readOrMakeMnemonic(folder)).toBe(made)
  })

  it('is one, whoever starts at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const folder = fresh()
      const made = await Promise.all(Array.from({ length: 8 }, () => readOrMakeMnemonic(folder)))
      expect(new Set(made).size).toBe(1)
      expect(readdirSync(folder)).toEqual(['mnemonic'])
    }
  })

  it('is named where it is bad, and never written over', async () => {
    const folder = fresh()
    const file = join(folder, 'mnemonic')
    await readOrMakeMnemonic(folder)
    writeFileSync(file, 'zoo zoo secretword\n')
    const refused = await readOrMakeMnemonic(folder).catch((error) => error)
    expect([refused.name, refused.message]).toEqual([
      'UsageError',
      `${file}: ${NO_MNEMONIC}; restore the file from a backup`,
    ])
    expect(readFileSync(file, 'utf8')).toBe('zoo zoo secretword\n')
  })

  it('is not needed where nothing is kept', async () => {
    const [one, other] = [await readOrMakeMnemonic(undefined), await readOrMakeMnemonic(undefined)]
    expect(one).not.toBe(other)
  })
})
