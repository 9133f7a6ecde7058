import type { Verdict } from '../conform/conform.js'
import type { Api } from '../model/api.js'
import type { Finding } from '../model/finding.js'

/** A verdict with all that is reported with it. */
export type ConformResult = Verdict & {
  readonly api: Api
  /** What was judged: an address, without what is secret in it, or a folder. */
  readonly subject: string
  /** `2030-01-31`. */
  readonly today: string
  readonly profile: string | undefined
  /** About the baseline, at its lines. */
  readonly remarks: readonly Finding[]
}
