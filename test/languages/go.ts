import { spawnSync } from 'node:child_process'

const found = spawnSync('go', ['version'], { encoding: 'utf8' })

/** Go 1.26 or newer, if the machine has it. */
export const HAS_GO = /go1\.(2[6-9]|[3-9]\d)/.test(found.stdout ?? '')

/** Why tests of Go are skipped, for their names. */
export const WITHOUT_GO = HAS_GO ? '' : ' (skipped: there is no Go 1.26)'
