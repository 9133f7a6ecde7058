import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openControlSocket } from '../../src/service/access/control-socket.js'
import { createKeys } from '../../src/service/access/keys.js'
import { keys as keysProgram } from '../../src/service/run-keys.js'
import { openStore } from '../../src/service/store/open-store.js'
import { checkedMnemonic } from '../../src/service/wallet/mnemonic.js'
import { temporaryFolder } from '../temporary-folder.js'
import { ran } from './command.js'
import { eachStore, type Place } from './stores.js'

const log = pino({ level: 'silent' })
const root = temporaryFolder('keys')

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
      ? ran(keysProgram, [...args, '--data', folder ?? ''])
      : ran(keysProgram, args, { env: { DATABASE_URL: databaseUrl } })
  }

  it('are made, listed and revoked', async () => {
    const made = await keys('create', '--name', ' web shop ', '--kind', 'public')
    expect(made).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^ts_[0-9a-f]{12}_[0-9a-f]{48}\n$/),
      stderr: expect.stringMatching(
        /^the public key [0-9a-f]{12}, which signs with wallet 1: keep it, it is shown only once\n$/,
      ),
    })
    const [, id = '', secret = ''] = made.stdout.trim().split('_')
    expect((await keys('create')).stderr).toMatch(/^the private key .* wallet 2:/)

    const revoked = await keys('revoke', id)
    expect([revoked.code, revoked.stdout]).toEqual([
      0,
      `the key ${id} is revoked; a running service rejects it within 2 seconds\n`,
    ])
    expect(await keys('revoke', id)).toEqual({
      code: 2,
      stdout: '',
      stderr: `keys: there is no key ${id} in force: \`npm run keys -- list\` names them\n`,
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
  it('are made and revoked through its control socket', async () => {
    const folder = join(root, 'running')
    const store = await openStore({ folder, log })
    const running = createKeys(store)
    const door = await openControlSocket(running, folder, log)
    try {
      const env = { TWINSPEC_DATA: folder }
      const key = (await ran(keysProgram, ['create'], { env })).stdout.trim()
      const found = await running.find(key)
      expect(found?.wallet).toBe(1)
      expect((await ran(keysProgram, ['revoke', found?.id ?? ''], { env })).code).toBe(0)
      expect(await running.find(key)).toBeUndefined()
    } finally {
      await door.close()
    }
    const { code, stderr } = await ran(keysProgram, ['list', '--data', folder])
    expect([code, stderr]).toEqual([
      2,
      `keys: ${folder} is in use by process ${process.pid}, which does not answer: try again\n`,
    ])
    await store.close()
  })
})

describe('the keys of a service that never ran', () => {
  it('are made in a store of their own, which the service finds', async () => {
    const folder = join(root, 'never/ran')
    const made = await ran(keysProgram, ['create', '--data', folder, '--name', 'deploys', '--new'])
    const store = await openStore({ folder, log })
    expect(await createKeys(store).find(made.stdout.trim())).toMatchObject({ wallet: 1 })
    await store.close()
    const again = await ran(keysProgram, ['create', '--data', folder, '--new'])
    expect(again.code).toBe(0)
    expect(
      (await ran(keysProgram, ['list', '--data', folder])).stdout.trim().split('\n'),
    ).toHaveLength(3)
  })
})

describe('keys does not run', () => {
  it.each([
    [[], 'keys: name an action: create, list, revoke, mnemonic'],
    [['creat'], 'keys: there is no action creat: there are create, list, revoke, mnemonic'],
    [['toString'], 'keys: there is no action toString: there are create, list, revoke, mnemonic'],
    [
      ['create'],
      'keys: name the service: --data with its folder, or DATABASE_URL in the environment',
    ],
    [['create', 'more', '--data', root], 'keys: create takes no more words'],
    [['revoke', '--data', root], 'keys: revoke needs the id of one key'],
    [['list', '--data', root, '--kind', 'public'], 'keys: list takes no --kind'],
    [['mnemonic', '--data', root], 'keys: mnemonic takes no --data'],
    [
      ['create', '--data', root, '--kind', 'royal'],
      'keys: --kind cannot be royal: there are private, public',
    ],
    [
      ['create', '--data', root, '--name', 'two\nlines'],
      'keys: create: --name must be 100 letters at most, on one line',
    ],
    [
      ['create', '--data', root],
      `keys: there is no store in ${root}: a service that is started with --data ${root} makes one, and so does \`npm run keys -- create --new\``,
    ],
    [['list', '--data', root, '--new'], 'keys: list takes no --new'],
    [
      ['revoke', `ts_5f0c9a1be274_${'0'.repeat(48)}`, '--data', root],
      'keys: revoke takes the id of a key: the part between its two underscores',
    ],
  ])('as %j', async (args, sentence) => {
    expect(await ran(keysProgram, args)).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` })
  })

  it('where the database does not answer, and tells no password', async () => {
    const env = { DATABASE_URL: 'postgres://someone:secretword@127.0.0.1:1/none' }
    expect(await ran(keysProgram, ['list'], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'keys: the store does not answer: connect ECONNREFUSED 127.0.0.1:1\n',
    })
    const wrong = await ran(keysProgram, ['list'], {
      env: { DATABASE_URL: 'someone:secretword@db' },
    })
    expect(wrong.stderr).toBe(
      'keys: the address of the store must be like postgres://user:password@host/name\n',
    )
  })
})

it('keys mnemonic prints a new one', async () => {
  const [one, other] = [await ran(keysProgram, ['mnemonic']), await ran(keysProgram, ['mnemonic'])]
  expect([one.code, one.stderr, other.code]).toEqual([0, '', 0])
  expect(`${checkedMnemonic(one.stdout)}\n`).toBe(one.stdout)
  expect(one.stdout).not.toBe(other.stdout)
})
