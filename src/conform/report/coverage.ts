import type { Api } from '../../model/api.js'
import type { CoverageKind } from '../case.js'
import { requestKeywords } from '../cases/input.js'
import { ownName } from '../operations.js'
import type { RunState } from '../session.js'

/** How much of what the documents declare was met in a run. */
export type Coverage = readonly {
  readonly kind: CoverageKind
  readonly declared: readonly string[]
  readonly met: readonly string[]
}[]

export const coverageOf = (api: Api, { covered }: Pick<RunState, 'covered'>): Coverage =>
  declaredIn(api).map(({ kind, declared }) => {
    const met = covered.get(kind) ?? new Set()
    return { kind, declared, met: declared.filter((name) => met.has(name)) }
  })

/** `cover` is called with these names. */
const declaredIn = (api: Api): readonly { kind: CoverageKind; declared: readonly string[] }[] => {
  const http = api.operations.filter((one) => one.kind === 'http')
  const rpc = api.operations.filter((one) => one.kind === 'rpc')
  return [
    { kind: 'operation' as const, declared: api.operations.map(ownName) },
    {
      kind: 'variant' as const,
      declared: http.flatMap(({ id, variants }) => variants.map(({ name }) => `${id} ${name}`)),
    },
    {
      kind: 'status' as const,
      declared: http.flatMap(({ id, responses }) =>
        responses.map(({ status }) => `${id} ${status}`),
      ),
    },
    {
      kind: 'error code' as const,
      declared: rpc.flatMap((one) => [
        ...new Set(one.errors.map(({ code }) => `${ownName(one)} ${code}`)),
      ]),
    },
    { kind: 'keyword' as const, declared: [...new Set(requestKeywords(api))] },
    { kind: 'workflow' as const, declared: api.workflows.map(({ id }) => id) },
  ].filter(({ declared }) => declared.length > 0)
}
