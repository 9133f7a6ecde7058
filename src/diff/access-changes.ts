import type { Declared } from '../schema/contain/declared.js'

/** What a change of `readOnly` or `writeOnly` means in one direction. */
export function accessSaid(
  direction: 'request' | 'response',
  { kind, before, after }: Pick<Declared, 'kind' | 'before' | 'after'>,
): AccessSaid | undefined {
  if (kind !== 'read-only' && kind !== 'write-only') return undefined
  const [was, is] = [before.says === true, after.says === true]
  if (was === is) return undefined
  const id = `property-${is ? 'became' : 'no-longer'}-${kind}`
  const loss = LOSSES[`${direction}-${id}`]
  const words = `is ${is ? kind : `no longer ${kind}`}${is ? ' now' : ''}${loss === undefined ? '' : `: ${loss}`}`
  return { id, words, isLoss: loss !== undefined }
}

export type AccessSaid = {
  readonly id: string
  readonly words: string
  /** Whether the property is gone for those who used it in this direction. */
  readonly isLoss: boolean
}

const LOSSES: Readonly<Record<string, string>> = {
  'request-property-became-read-only': 'the service ignores or rejects it in requests',
  'response-property-became-write-only': 'clients no longer receive it',
}
