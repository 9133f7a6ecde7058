import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

const help = (variables: Readonly<Record<string, string>>): string => {
  const { FORCE_COLOR: _, NO_COLOR: __, ...env } = process.env
  const args = ['--import', 'tsx', '-C', 'twinspec-source', 'src/cli/main.ts', 'help', 'lint']
  return execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...env, ...variables } })
}

it('U8: FORCE_COLOR colours what goes to a pipe, and NO_COLOR does not', () => {
  expect(help({})).not.toContain('\u001b[')
  expect(help({ FORCE_COLOR: '1' })).toContain('\u001b[')
  expect(help({ FORCE_COLOR: '0' })).not.toContain('\u001b[')
  expect(help({ NO_COLOR: '1' })).not.toContain('\u001b[')
})
