import type { RuleRow } from '../model/finding.js'

/** A row of the rules of `diff`, without its id: the level, the purpose and the advice. */
export type RuleText = Omit<RuleRow, 'id'> & {
  readonly advice?: string
  /** `response`: what an operation answers. `outgoing`: webhooks, callbacks and their replies. Undefined for all other rules. */
  readonly about?: 'response' | 'outgoing'
}

export type DiffRule = RuleRow & RuleText

const row =
  (level: RuleRow['level']) =>
  (purpose: string, advice?: string): RuleText => ({
    level,
    purpose,
    ...(advice !== undefined && { advice }),
  })

export const [error, warning, note] = [row('error'), row('warning'), row('note')]

/** The same rows, about something other than a request. */
export const about = <R extends Readonly<Record<string, RuleText>>>(
  what: NonNullable<RuleText['about']>,
  rows: R,
): { readonly [id in keyof R]: RuleText } =>
  Object.fromEntries(Object.entries(rows).map(([id, rule]) => [id, { ...rule, about: what }])) as {
    readonly [id in keyof R]: RuleText
  }
