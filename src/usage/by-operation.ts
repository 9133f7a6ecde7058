import type { OperationUsage, Usage } from './usage.js'

/** Finds who used an operation by its name: consumer -> usage, with `others` for those beyond the maximum. */
export const usageByOperation = (
  usage: Usage,
): ((name: string) => ReadonlyMap<string, OperationUsage>) => {
  const consumers = [
    ...Object.entries(usage.consumers),
    ...(usage.others ? [[OTHERS, usage.others] as const] : []),
  ]
  const byOperation = new Map<string, Map<string, OperationUsage>>()
  for (const [consumer, own] of consumers) {
    for (const [name, one] of Object.entries(own)) {
      const key = sentKey(name)
      const known = byOperation.get(key) ?? new Map<string, OperationUsage>()
      byOperation.set(key, known.set(consumer, one))
    }
  }
  return (name) => byOperation.get(sentKey(name)) ?? NOBODY
}

/** How consumers beyond the maximum are called together; no id of a consumer is this. */
export const OTHERS = 'others'

const NOBODY: ReadonlyMap<string, OperationUsage> = new Map()

/** The name in the braces of a path is not sent. */
export const sentKey = (name: string): string =>
  /^[A-Z]+ /.test(name) ? name.replace(/{[^}]*}/g, '{}') : name
