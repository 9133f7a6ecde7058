import type { HttpContext } from 'twinspec/runtime/server'
import { getContractAddress, type Hex } from 'viem'
import type { TryZktVariants } from '../../../generated/http.client.js'
import { CompilationError, type Compiled, CompilerLimit } from '../compiler/compiler.js'
import { inThread, LARGE } from '../thread/in-thread.js'
import { enqueue, follow, namesOf, signerOf, type ZktParts } from './follow.js'
import { errorOfNode } from './node-error.js'
import { creationCode, gasWithMargin } from './prepare.js'
import { Refused } from './rejected.js'

/** Compiles a contract, deploys it, and holds until it is mined (SERVICE 4.2 rule 5, ASSUMPTIONS 24). */
export const submitDeploy = async (parts: ZktParts, context: HttpContext, body: DeployBody) => {
  const compiled = await compile(parts, context, body.code)
  const data = await creation(compiled, body.arguments ?? [])
  const signer = signerOf(parts, context)
  const { signal } = context
  let innerBytes = 0
  const onInnerBytes = (bytes: number): void => {
    innerBytes = bytes
  }
  const estimate = await parts.chain
    .estimateGas({ from: signer.address, data }, { signal, onInnerBytes })
    .catch((error: unknown) => {
      throw errorOfNode(error, compiled.abi, 'its own creation') ?? error
    })
  const submission = {
    kind: 'deploy' as const,
    wallet: signer.index,
    data,
    gas: gasWithMargin(estimate),
  }
  const accepted = await enqueue(parts, context, submission, innerBytes)
  const { warning } = await follow(parts, context, accepted)
  if (warning) return warning
  const { from, nonce } = accepted
  return {
    success: true as const,
    contractAddress: getContractAddress({ from, nonce: BigInt(nonce) }),
    abi: entriesOf(compiled),
    ...namesOf(accepted),
  }
}

type DeployBody = TryZktVariants['deploy']['request']

type DeployAnswer = Extract<TryZktVariants['deploy']['answer'], { abi: unknown[] }>

const compile = async (
  parts: ZktParts,
  context: HttpContext,
  source: string,
): Promise<Compiled> => {
  const { signal } = context
  const { name: caller, isKeyed } = parts.callerOf(context)
  try {
    return await parts.compiler.compile(source, { signal, caller, isKeyed })
  } catch (error) {
    const isLimit = error instanceof CompilerLimit
    if (!isLimit && !(error instanceof CompilationError)) throw error
    const options = { details: error.message, cause: error }
    const message = isLimit
      ? 'the source is too much for this compiler'
      : 'the source does not compile'
    throw new Refused('COMPILATION_FAILED', message, options)
  }
}

const creation = async ({ abi, bytecode }: Compiled, given: readonly unknown[]): Promise<Hex> => {
  const json = JSON.stringify(given)
  return json.length < LARGE
    ? creationCode(abi, bytecode, json)
    : inThread('creationCode', abi, bytecode, json)
}

/** viem types an ABI as anybody may write it; this one comes from the Solidity compiler, whose entries are in full. */
const entriesOf = ({ abi }: Compiled): DeployAnswer['abi'] => [...abi] as DeployAnswer['abi']
