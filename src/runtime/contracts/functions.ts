import { type AbiFunction, parseAbi } from 'abitype'

/** The function of that name which takes so many arguments. Throws an Error where there is none, or more than one. */
export const functionOf = (abi: unknown, name: unknown, count: number): AbiFunction => {
  const lines = Array.isArray(abi) ? abi.map((line) => withoutTuple(String(line).trim())) : []
  const named = (parseAbi as (lines: readonly string[]) => readonly AbiItem[])(lines).filter(
    (item): item is AbiFunction => item.type === 'function' && item.name === name,
  )
  if (named.length === 0) throw new Error(`the ABI has no function ${String(name)}`)
  const fitting = named.filter(({ inputs }) => inputs.length === count)
  const [only, another] = fitting
  if (only === undefined) throw new Error(`no ${String(name)} of the ABI takes ${count} arguments`)
  if (another !== undefined)
    throw new Error(
      `the ABI has ${fitting.length} functions ${String(name)} of ${count} arguments: leave one`,
    )
  return only
}

export const isRead = ({ stateMutability }: AbiFunction): boolean =>
  stateMutability === 'view' || stateMutability === 'pure'

type AbiItem =
  | AbiFunction
  | { readonly type: 'event' | 'error' | 'constructor' | 'fallback' | 'receive' }

/** `tuple(…)` is what ethers writes; the grammar of abitype knows the parentheses alone. */
const withoutTuple = (line: string): string =>
  line.replace(/(?<=[ (,])(?<!^function )tuple(?=\()/g, '')
