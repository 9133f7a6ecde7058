import { daysText, mergedDays } from './days.js'
import type { OperationUsage, Usage } from './usage.js'

/** What a usage covers, for messages. */
export const windowOf = (usage: Usage): Window => {
  const all = [...Object.values(usage.consumers), ...(usage.others ? [usage.others] : [])]
  const operations = all.flatMap((one): readonly OperationUsage[] => Object.values(one))
  const names = new Set(all.flatMap((one) => Object.keys(one)))
  const count = Object.keys(usage.consumers).length
  return {
    requests: operations.reduce((sum, { requests }) => sum + requests, 0),
    consumers: usage.others ? `more than ${count}` : `${count}`,
    operations: names.size,
    days: daysText(mergedDays(operations)),
  }
}

export type Window = {
  /** Of documented operations. */
  readonly requests: number
  readonly consumers: string
  readonly operations: number
  /** ` from 2026-10-02 to 2026-11-24`, or nothing where no time was recorded. */
  readonly days: string
}
