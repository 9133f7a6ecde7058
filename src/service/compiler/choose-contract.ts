import type { Abi } from 'viem'
import type { Answer } from './orders.js'
import type { SolidityError } from './solidity-errors.js'

/**
 * The last contract of the source that can be deployed, or the last library where there is none. What is linked to another
 * contract's address is refused, and what no chain takes for its size, in the compiler's own words.
 */
export function chooseContract(output: Output): Answer {
  const declared = (output.sources?.source?.ast?.nodes ?? []).filter(isContract)
  const deployable = declared.filter(
    ({ name, abstract }) => !abstract && codeOf(output, name) !== '',
  )
  const chosen =
    deployable.findLast((node) => node.contractKind === 'contract') ??
    deployable.findLast((node) => node.contractKind === 'library')
  if (chosen === undefined) return refused(nothingIn(declared))
  const { name } = chosen
  const contract = output.contracts?.source?.[name]
  const [library] = Object.values(contract?.evm.bytecode.linkReferences ?? {}).flatMap(Object.keys)
  if (library !== undefined) {
    return refused(
      `${name} uses the external library ${library}, and linking is not offered: make its functions internal`,
    )
  }
  const large = output.errors?.find((error) => isOfSize(error) && isAt(error, chosen))
  if (large !== undefined) return refused(`${name} is too large: ${firstSentence(large.message)}`)
  return {
    kind: 'compiled',
    contract: name,
    abi: contract?.abi ?? [],
    bytecode: `0x${codeOf(output, name)}`,
  }
}

/** Of the compiler's JSON answer, what was asked for. Contracts are sorted by name, so only the tree tells their order. */
export type Output = {
  readonly errors?: readonly SolidityError[]
  readonly contracts?: { readonly source?: Readonly<Record<string, Contract>> }
  readonly sources?: { readonly source?: { readonly ast?: { readonly nodes: readonly Node[] } } }
}

type Contract = {
  readonly abi: Abi
  readonly evm: {
    readonly bytecode: {
      readonly object: string
      readonly linkReferences: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    }
  }
}

type Node = ContractNode | { readonly nodeType: 'another' }

type ContractNode = {
  readonly nodeType: 'ContractDefinition'
  readonly name: string
  readonly contractKind: 'contract' | 'interface' | 'library'
  readonly abstract: boolean
  /** `start:length:file`, in bytes. */
  readonly src: string
}

function isContract(node: Node): node is ContractNode {
  return node.nodeType === 'ContractDefinition'
}

function codeOf(output: Output, name: string): string {
  return output.contracts?.source?.[name]?.evm.bytecode.object ?? ''
}

function nothingIn(declared: readonly ContractNode[]): string {
  const why = declared.map(({ name, contractKind }) =>
    contractKind === 'interface' ? `${name} is an interface` : `${name} is abstract`,
  )
  const shown = why.length > 5 ? [...why.slice(0, 5), '…'] : why
  return `the source has no contract to deploy${why.length === 0 ? '' : ` (${shown.join(', ')})`}`
}

/** Warnings of the compiler, which knows the limits of each EVM version (EIP-170 and EIP-3860). */
const ofSize = ['5574', '3860']

function isOfSize({ errorCode }: SolidityError): boolean {
  return ofSize.includes(errorCode ?? '')
}

function isAt({ sourceLocation }: SolidityError, { src }: ContractNode): boolean {
  return sourceLocation?.start === Number.parseInt(src, 10)
}

function firstSentence(text: string): string {
  return text.split('. ', 1)[0] ?? text
}

function refused(message: string): Answer {
  return { kind: 'refused', message }
}
