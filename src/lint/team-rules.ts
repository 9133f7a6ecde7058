import type { Api } from '../model/api.js'
import type { Finding, FindingDetails, RuleRow } from '../model/finding.js'

/**
 * A rule that a team writes for its own documents, in a module that exports `rules`.
 *
 * ```js
 * export const rules = [
 *   {
 *     id: 'team-operation-has-no-owner',
 *     level: 'error',
 *     purpose: 'Somebody must answer for each operation.',
 *     *find(api) {
 *       for (const { id, tags, source } of api.operations)
 *         if (!tags.some((tag) => tag.startsWith('team-')))
 *           yield { location: source.locate(), message: `${id} has no tag of a team` }
 *     },
 *   },
 * ]
 * ```
 */
export type TeamRule = RuleRow & {
  /** The places that violate the rule. `source.locate(...members)` of an operation, param or document is a location. */
  readonly find: (api: Api) => Iterable<FindingDetails>
}

/** Applies rules of a team. A rule that throws, or that yields no finding, rejects with the name of the rule. */
export const findByTeam = (rules: readonly TeamRule[], api: Api): readonly Finding[] =>
  rules.flatMap(({ id, level, find }) => {
    try {
      return [...find(api)].map((details): Finding => {
        if (!isFinding(details)) throw new TypeError('a finding needs a location and a message')
        return { rule: id, level, ...details }
      })
    } catch (cause) {
      throw new TeamRuleError(id, cause)
    }
  })

/** A rule of a team failed; the cause is what it threw. */
export class TeamRuleError extends Error {
  override readonly name = 'TeamRuleError'

  constructor(rule: string, cause: unknown) {
    super(`the rule ${rule} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}

const isFinding = ({ location, message }: Partial<FindingDetails>): boolean =>
  typeof message === 'string' &&
  typeof location?.file === 'string' &&
  Number.isInteger(location.line) &&
  Number.isInteger(location.column)
