import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import solc from 'solc'
import { chooseContract, type Output } from './choose-contract.js'
import type { Answer, Terms } from './orders.js'
import { explainErrors } from './solidity-errors.js'

/** The thread in which Solidity runs: takes a source, answers with a contract or with what is wrong. */
const { evmVersion } = workerData as Terms
const version = /^[^+]*/.exec(solc.version())?.[0] ?? ''

/** Of the compiler's answer, which holds the source's tree: some 40 characters for one of the source. */
const LARGEST_ANSWER = 2 ** 26

// On Linux this thread alone: who answers requests goes first, and so does who watches this one.
setPriority(5)

const first = answerTo('contract First { uint public x; function set(uint v) external { x = v; } }')
parentPort?.postMessage(
  first.kind === 'compiled'
    ? { kind: 'ready' }
    : { kind: 'unable', message: `solc ${version} ${unableFor(first.message)}` },
)
parentPort?.on('message', (source: string) => parentPort?.postMessage(answerTo(source)))

function answerTo(source: string): Answer {
  try {
    // No callback is given, so an import is never read: the compiler itself refuses it.
    const text: string = solc.compile(inputOf(source))
    if (text.length > LARGEST_ANSWER) return tooMuch
    const output = JSON.parse(text) as Output
    const wrong = output.errors?.some(({ severity }) => severity === 'error') ?? false
    return wrong ? explainErrors(output.errors ?? [], source, version) : chooseContract(output)
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

const tooMuch: Answer = { kind: 'refused', message: 'the source makes too much output' }

function inputOf(source: string): string {
  return JSON.stringify({
    language: 'Solidity',
    sources: { source: { content: source } },
    settings: {
      // The compiler's own default number of runs.
      optimizer: { enabled: true, runs: 200 },
      ...(evmVersion === undefined ? {} : { evmVersion }),
      outputSelection: {
        source: { '': ['ast'], '*': ['abi', 'evm.bytecode.object', 'evm.bytecode.linkReferences'] },
      },
    },
  })
}
