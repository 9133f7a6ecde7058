import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { forkOurs } from '../../src/service/fork.js'

test('a forked file of ours runs anywhere, with the variables it was given and no others', async () => {
  process.env.SECRET_OF_THE_PARENT = 'hush'
  const child = forkOurs(new URL('./forked.js', import.meta.url), {
    args: ['one'],
    cwd: tmpdir(),
    env: { GIVEN: 'yes' },
  })
  delete process.env.SECRET_OF_THE_PARENT
  const report = await new Promise<{ variables: string[] }>((resolve, reject) => {
    child.on('message', (message: { kind?: string; variables: string[] }) => {
      if (message.kind === 'report') resolve(message)
    })
    child.on('exit', (code) => reject(new Error(`ended with ${code}`)))
  })
  expect(report).toMatchObject({ args: ['one'], imported: 'RpcError', cwd: realpathSync(tmpdir()) })
  expect(report.variables).toContain('GIVEN')
  expect(report.variables).not.toContain('SECRET_OF_THE_PARENT')
  child.send('end')
  expect(await once(child, 'exit')).toEqual([7, null])
})
