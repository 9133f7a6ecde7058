import type { Gap } from '../schema/contain/gap.js'
import { bySize } from '../schema/json-values.js'

/** Several types, or several values, that one schema no longer accepts, or accepts now, are one change; null among types is one of them. */
export function typesTogether(gaps: readonly Gap[]): readonly Gap[] {
  const groups = new Map<string, Gap[]>()
  for (const gap of gaps) {
    const kind = isOfType(gap) ? 'type' : isValue(gap) ? 'value' : undefined
    const key = kind && JSON.stringify([kind, gap.path, gap.outer.node?.id, gap.alternative])
    const group = key === undefined ? undefined : groups.get(key)
    if (group) group.push(gap)
    else groups.set(key ?? `${groups.size}`, [gap])
  }
  return [...groups.values()].map(asOne)
}

const isOfType = ({ kind, inner }: Gap): boolean =>
  kind === 'type' || (kind === 'null' && inner.says !== undefined)

const isValue = ({ kind, inner }: Gap): boolean => kind === 'value' && inner.says !== undefined

function asOne(group: readonly Gap[]): Gap {
  const [first, ...others] = group.toSorted(
    (a, b) => Number(a.kind === 'null') - Number(b.kind === 'null'),
  )
  if (!first) throw new Error('a group has a gap')
  if (others.length === 0) return first
  const witnesses = group.flatMap(({ witness }) => (witness ? [witness.value] : []))
  const [value] = witnesses.toSorted(bySize)
  return {
    ...first,
    inner: {
      ...first.inner,
      says: [...new Set([first, ...others].flatMap(({ inner }) => inner.says))],
    },
    isCertain: group.some(({ isCertain }) => isCertain),
    witness: witnesses.length === 0 ? undefined : { value },
  }
}
