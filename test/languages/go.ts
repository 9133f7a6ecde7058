import { spawnSync } from 'node:child_process'

/** What a program prints; undefined if there is no such program, or it fails. */
export const outputOf = (
  program: string,
  args: readonly string[],
  cwd = '.',
): string | undefined => {
  const { status, stdout } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Go 1.26 or newer, if the machine has it. */
export const HAS_GO = /go1\.(2[6-9]|[3-9]\d)/.test(outputOf('go', ['version']) ?? '')

/** Why tests of Go are skipped, for their names. */
export const WITHOUT_GO = HAS_GO ? '' : ' (skipped: there is no Go 1.26)'

/** Why staticcheck is not run, for names of tests. */
export const WITHOUT_STATICCHECK =
  outputOf('staticcheck', ['-version']) === undefined
    ? ' (without staticcheck, which is not installed)'
    : ''
