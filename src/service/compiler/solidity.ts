import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import solc from 'solc'
import type { Abi } from 'viem'
import type { CompileResult, CompileTerms } from './compiler.js'

/** The thread in which Solidity runs: it receives sources, and posts contracts or errors. It starts at the end of this file. */
const { evmVersion } = workerData as CompileTerms
const version = /^[^+]*/.exec(solc.version())?.[0] ?? ''

/** The maximum size of the compiler's output, which includes the syntax tree: about 40 characters for one of the source. */
const LARGEST_ANSWER = 2 ** 26

function answerTo(source: string): CompileResult {
  try {
    // Without a callback, imports are never read: the compiler itself rejects them.
    const text: string = solc.compile(inputOf(source))
    if (text.length > LARGEST_ANSWER) return tooMuch
    const output = JSON.parse(text) as Output
    const wrong = output.errors?.some(({ severity }) => severity === 'error') ?? false
    return wrong ? explainErrors(output.errors ?? [], source) : chooseContract(output)
  } catch (error) {
    if (error instanceof RangeError)
      return { kind: 'broken', message: 'the source is nested too deeply' }
    return { kind: 'broken', message: 'the compiler fails on this source' }
  }
}

function unableFor(message: string): string {
  return evmVersion === undefined
    ? `does not compile: ${message}`
    : `does not compile for the EVM version ${JSON.stringify(evmVersion)}: ${message}`
}

const tooMuch: CompileResult = { kind: 'rejected', message: 'the source makes too much output' }

function inputOf(source: string): string {
  return JSON.stringify({
    language: 'Solidity',
    sources: { source: { content: source } },
    settings: {
      // The compiler's default number of runs.
      optimizer: { enabled: true, runs: 200 },
      ...(evmVersion === undefined ? {} : { evmVersion }),
      outputSelection: {
        source: { '': ['ast'], '*': ['abi', 'evm.bytecode.object', 'evm.bytecode.linkReferences'] },
      },
    },
  })
}

/**
 * The last contract of the source that can be deployed, or else the last library. A contract that needs linking is rejected,
 * and so is one that exceeds the size limits of chains, with the compiler's own message.
 */
function chooseContract(output: Output): CompileResult {
  const declared = (output.sources?.source?.ast?.nodes ?? []).filter(isContract)
  const deployable = declared.filter(
    ({ name, abstract }) => !abstract && codeOf(output, name) !== '',
  )
  const chosen =
    deployable.findLast((node) => node.contractKind === 'contract') ??
    deployable.findLast((node) => node.contractKind === 'library')
  if (chosen === undefined) return rejected('the source has no contract to deploy')
  const { name } = chosen
  const contract = output.contracts?.source?.[name]
  const [library] = Object.values(contract?.evm.bytecode.linkReferences ?? {}).flatMap(Object.keys)
  if (library !== undefined) {
    return rejected(
      `${name} uses the external library ${library}, and linking is not offered: make its functions internal`,
    )
  }
  const large = output.errors?.find((error) => isOfSize(error) && isAt(error, chosen))
  if (large !== undefined) return rejected(`${name} is too large: ${firstSentence(large.message)}`)
  return {
    kind: 'compiled',
    contract: name,
    abi: contract?.abi ?? [],
    bytecode: `0x${codeOf(output, name)}`,
  }
}

/** The selected parts of the compiler's JSON output. Contracts are sorted by name, so only the syntax tree shows their order. */
type Output = {
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

/** Compiler warnings about size limits, which depend on the EVM version (EIP-170 and EIP-3860). */
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

function rejected(message: string): CompileResult {
  return { kind: 'rejected', message }
}

/** The compiler's errors as one text, a line for each: `ParserError: Expected ';' but got '}' (line 4)`. Warnings are omitted. */
function explainErrors(all: readonly SolidityError[], source: string): CompileResult {
  const errors = all.filter(({ severity }) => severity === 'error')
  const bytes = Buffer.from(source)
  const lines = errors.slice(0, MOST).map((error) => {
    const line = lineOf(error, bytes)
    return `${error.type}: ${wordsOf(error)}${line === undefined ? '' : ` (line ${line})`}`
  })
  const more = errors.length > MOST ? [`and ${errors.length - MOST} more`] : []
  const kind = errors.some(({ type }) => ITS_OWN.includes(type)) ? 'broken' : 'rejected'
  return { kind, message: [...new Set(lines), ...more].join('\n') }
}

type SolidityError = {
  readonly severity: 'error' | 'warning' | 'info'
  readonly type: string
  readonly errorCode?: string | null
  readonly message: string
  /** In bytes of the source; -1 if there is none. */
  readonly sourceLocation?: { readonly start: number } | null
}

const MOST = 10

/** Bugs of the compiler: their messages name files and lines of its own source. */
const ITS_OWN = ['Exception', 'FatalError', 'InternalCompilerError']

function wordsOf({ type, message }: SolidityError): string {
  return ITS_OWN.includes(type) ? 'the compiler fails on this source' : shortened(message)
}

function lineOf({ sourceLocation }: SolidityError, bytes: Buffer): number | undefined {
  const start = sourceLocation?.start ?? -1
  if (start < 0) return undefined
  return bytes.toString('latin1', 0, start).split('\n').length
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}

// On Linux, this applies to this thread only: threads that handle requests, or watch this one, have priority.
setPriority(5)

const first = answerTo('contract First { uint public x; function set(uint v) external { x = v; } }')
parentPort?.postMessage(
  first.kind === 'compiled'
    ? { kind: 'ready' }
    : { kind: 'unable', message: `solc ${version} ${unableFor(first.message)}` },
)
parentPort?.on('message', (source: string) => parentPort?.postMessage(answerTo(source)))
