import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation } from '../../model/api.js'
import { referredName, type Schema, subschemas } from '../../model/schema.js'
import { parseJson } from '../answers/read.js'
import type { Complaint } from '../case.js'
import { type Exchange, textOf } from '../exchange.js'

/** Twins of an answer that are both there, and differ (`x-same-as`). */
export const judgeTwins = (
  api: Api,
  operation: HttpOperation,
  exchange: Exchange,
): readonly Complaint[] => {
  const { answer } = exchange
  const body = answer && parseJson(textOf(answer.body))?.value
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const record = body as Record<string, unknown>
  return twinsOf(api, operation, answer?.status ?? 0).flatMap(([one, other]): Complaint[] => {
    const [first, second] = [record[one] ?? undefined, record[other] ?? undefined]
    if (first === undefined || second === undefined || isDeepStrictEqual(first, second)) return []
    const shown = [first, second].map((value) => JSON.stringify(value))
    return [
      {
        rule: 'same-value-differs',
        operation,
        exchange,
        message: `${one} is ${shown[0]}, and ${other}, which carries the same value, is ${shown[1]}`,
        due: 'the same value in both, or one of them alone',
        aspect: [one, other].join(),
      },
    ]
  })
}

type Pair = readonly [string, string]

const twinsOf = (api: Api, { responses }: HttpOperation, status: number): readonly Pair[] => {
  const pairs = new Map<string, Pair>()
  const seen = new Set<Schema>()
  const visit = (schema: Schema): void => {
    if (typeof schema === 'boolean' || seen.has(schema)) return
    seen.add(schema)
    const name = referredName(schema)
    if (name !== undefined) visit(api.schemas.get(name)?.schema ?? true)
    for (const branch of subschemas(schema, 'in-place')) visit(branch)
    for (const [property, value] of Object.entries(schema.properties ?? {})) {
      const twin = typeof value === 'object' ? value['x-same-as'] : undefined
      if (typeof twin !== 'string') continue
      const pair = [property, twin].sort() as [string, string]
      pairs.set(pair.join(), pair)
    }
  }
  for (const response of responses)
    if (response.status === String(status)) for (const { schema } of response.content) visit(schema)
  return [...pairs.values()]
}
