import { CONFORM_RULES } from '../conform/rules.js'
import { DIFF_RULES } from '../diff/rules.js'
import { LINT_RULES } from '../lint/lint.js'
import { IGNORE_RULE } from './config/comments.js'
import { CONFIG_RULES } from './config/read.js'
import type { Level } from './levels.js'
import { STALE_RULE } from './write-tree.js'

/** A rule of any command. */
export type ExplainedRule = {
  readonly id: string
  /** The command that checks it; a rule about lists of accepted findings is of several. */
  readonly command: string
  readonly level: Level
  readonly purpose: string
  /** What a rule of `conform` is based on. */
  readonly clause?: string
  /** What a rule of `diff` advises. */
  readonly advice?: string
}

/** Every rule of every command, by id. No two rules have one id; those about accepted findings are of `diff` and `conform`. */
export const RULES: readonly ExplainedRule[] = [
  ...LINT_RULES.map((row) => ({ ...row, command: 'lint' })),
  ...DIFF_RULES.map((row) => ({ ...row, command: 'diff' })),
  ...CONFORM_RULES.map((row) => ({ ...row, command: 'conform' })),
  ...[...CONFIG_RULES, IGNORE_RULE].map((row) => ({ ...row, command: 'config' })),
  { ...STALE_RULE, command: 'generate' },
].sort((a, b) => (a.id < b.id ? -1 : 1))
