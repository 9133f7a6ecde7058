import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openControlSocket } from '../../src/service/access/control-socket.js'
import { createKeys } from '../../src/service/access/keys.js'
import { openStore } from '../../src/service/store/open-store.js'
import { checkedMnemonic } from '../../src/service/wallet/mnemonic.js'
import { eachStore, type Place } from '../service/stores.js'
import { ran } from './command.js'

const log = pino({ level: 'silent' })
const root = mkdtempSync(join(tmpdir(), 'twinspec-keys-'))
afterAll(() => rmSync(root, { recursive: true }))

describe.each(eachStore)('the keys of a service that does not run, on $kind', ({ place }) => {
  let at: Place
  beforeAll(async () => {
    at = await place()
    await (await at.open()).close()
  })
  afterAll(() => at.remove())
  const keys = (...args: readonly string[]) => {
    const { databaseUrl, folder } = at.settings
    return databaseUrl === undefined
      ? ran(['keys', ...args, '--data', folder ?? ''])
      : ran(['keys', ...args], { env: { DATABASE_URL: databaseUrl } })
  }

  it('are made, listed and revoked', async () => {
    const made = await keys('create', '--name', ' web shop ', '--kind', 'public')
    expect(made).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^ts_[0-9a-f]{12}_[0-9a-f]{48}\n$/),
      stderr: expect.stringMatching(
        /^the public key [0-9a-f]{12}, which signs with wallet 1: keep it, for it is shown this once\n$/,
      ),
    })
    const [, id = '', secret = ''] = made.stdout.trim().split('_')
    expect((await keys('create')).stderr).toMatch(/^the private key .* wallet 2:/)

    const revoked = await keys('revoke', id)
    expect([revoked.code, revoked.stdout]).toEqual([
      0,
      `the key ${id} is revoked; a running service refuses it within 2 seconds\n`,
    ])
    expect(await keys('revoke', id)).toEqual({
      code: 2,
      stdout: '',
      stderr: `twinspec keys revoke: there is no key ${id} in force: \`twinspec keys list\` names them\n`,
    })

    const listed = await keys('list')
    const shown = listed.stdout
      .replaceAll(/[0-9a-f]{12}/g, 'IIIIIIIIIIII')
      .replaceAll(/\d{4}-\S+/g, 'DDDD-DD-DDTDD:DD:DD')
    expect(shown).toBe(
      [
        'ID            KIND     WALLET  CREATED              REVOKED              NAME',
        'IIIIIIIIIIII  public   1       DDDD-DD-DDTDD:DD:DD  DDDD-DD-DDTDD:DD:DD  web shop',
        'IIIIIIIIIIII  private  2       DDDD-DD-DDTDD:DD:DD  in force',
        '',
      ].join('\n'),
    )
    const json = await keys('list', '--format', 'json')
    expect(JSON.parse(json.stdout)).toMatchObject([
      { id, name: 'web shop', kind: 'public', wallet: 1, revokedAt: expect.any(String) },
      { name: '', kind: 'private', wallet: 2 },
    ])
    expect(listed.stdout + json.stdout).not.toContain(secret)
  })
})

describe('the keys of a service that runs on a folder', () => {
  it('are made and revoked through its door', async () => {
    const folder = join(root, 'running')
    const store = await openStore({ folder, log })
    const running = createKeys(store)
    const door = await openControlSocket(running, folder, log)
    try {
      const env = { TWINSPEC_DATA: folder }
      const key = (await ran(['keys', 'create'], { env })).stdout.trim()
      const found = await running.find(key)
      expect(found?.wallet).toBe(1)
      expect((await ran(['keys', 'revoke', found?.id ?? ''], { env })).code).toBe(0)
      expect(await running.find(key)).toBeUndefined()
    } finally {
      await door.close()
    }
    const { code, stderr } = await ran(['keys', 'list', '--data', folder])
    expect([code, stderr]).toEqual([
      2,
      `twinspec keys: ${folder} is in use by process ${process.pid}, which does not answer: try again\n`,
    ])
    await store.close()
  })
})

describe('the keys of a service that never ran', () => {
  it('are made in a store of their own, which the service finds', async () => {
    const folder = join(root, 'never/ran')
    const made = await ran(['keys', 'create', '--data', folder, '--name', 'deploys', '--new'])
    const store = await openStore({ folder, log })
    expect(await createKeys(store).find(made.stdout.trim())).toMatchObject({ wallet: 1 })
    await store.close()
    const again = await ran(['keys', 'create', '--data', folder, '--new'])
    expect(again.code).toBe(0)
    expect((await ran(['keys', 'list', '--data', folder])).stdout.trim().split('\n')).toHaveLength(
      3,
    )
  })
})

describe('keys does not run', () => {
  it.each([
    [[], 'twinspec keys: say what to do: create, list, revoke, mnemonic'],
    [['creat'], 'twinspec keys: there is nothing called creat: did you mean create?'],
    [
      ['toString'],
      'twinspec keys: there is nothing called toString: there are create, list, revoke, mnemonic',
    ],
    [
      ['create'],
      'twinspec keys: say whose: --data with the folder of the service, or DATABASE_URL in the environment',
    ],
    [['create', 'more', '--data', root], 'twinspec keys create: it takes no more words'],
    [['revoke', '--data', root], 'twinspec keys revoke: it needs the id of one key'],
    [
      ['list', '--data', root, '--kind', 'public'],
      'twinspec keys list: --kind means nothing to it',
    ],
    [['mnemonic', '--data', root], 'twinspec keys mnemonic: --data means nothing to it'],
    [
      ['create', '--data', root, '--kind', 'royal'],
      'twinspec keys: --kind cannot be royal: there are private, public',
    ],
    [
      ['create', '--data', root, '--name', 'two\nlines'],
      'twinspec keys create: --name must be 100 letters at most, on one line',
    ],
    [
      ['create', '--data', root],
      `twinspec keys: there is no store in ${root}: a service that was started with --data ${root} makes one, and so does \`twinspec keys create --new\``,
    ],
    [['list', '--data', root, '--new'], 'twinspec keys list: --new means nothing to it'],
    [
      ['revoke', `ts_5f0c9a1be274_${'0'.repeat(48)}`, '--data', root],
      'twinspec keys revoke: it takes the id of a key, which stands between its two underscores',
    ],
  ])('as %j', async (args, sentence) => {
    expect(await ran(['keys', ...args])).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` })
  })

  it('where the database does not answer, and tells no password', async () => {
    const env = { DATABASE_URL: 'postgres://someone:secretword@127.0.0.1:1/none' }
    expect(await ran(['keys', 'list'], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'twinspec keys: the store does not answer: connect ECONNREFUSED 127.0.0.1:1\n',
    })
    const wrong = await ran(['keys', 'list'], { env: { DATABASE_URL: 'someone:secretword@db' } })
    expect(wrong.stderr).toBe(
      'twinspec keys: the address of the store must be like postgres://user:password@host/name\n',
    )
  })
})

it('keys mnemonic prints a new one', async () => {
  const [one, other] = [await ran(['keys', 'mnemonic']), await ran(['keys', 'mnemonic'])]
  expect([one.code, one.stderr, other.code]).toEqual([0, '', 0])
  expect(`${checkedMnemonic(one.stdout)}\n`).toBe(one.stdout)
  expect(one.stdout).not.toBe(other.stdout)
})
