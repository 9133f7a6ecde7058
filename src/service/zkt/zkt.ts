import { HttpError } from 'twinspec/runtime/errors'
import type { HttpContext } from 'twinspec/runtime/server'
import { getContractAddress, type Hex } from 'viem'
import type { TryZktVariants } from '../../../generated/http.types.js'
import type { Handlers } from '../../../generated/server.js'
import { RETRY_SECONDS } from '../access/limits.js'
import { CompilationError, type CompiledContract, CompilerLimit } from '../compiler/compiler.js'
import { type Outbox, OutboxFull, type StatusRecord } from '../outbox/outbox.js'
import { StoreUnavailable } from '../store/store.js'
import { inThread, LARGE } from '../thread/in-thread.js'
import { NoTurn } from '../turns.js'
import { submitCall } from './call.js'
import {
  enqueueSubmission,
  followIds,
  followTransaction,
  signerOf,
  type ZktParts,
} from './follow.js'
import { errorOfNode, isOfNode } from './node-error.js'
import { creationCode, gasWithMargin, prepareMessage } from './prepare.js'
import { RejectedSubmission, STATUS } from './rejected.js'

/**
 * The handlers of the two submission endpoints, which differ in the wallet that signs, and of the status lookup. They throw
 * HttpError with the documented bodies; a rejected submission is not signed.
 */
export const createZkt = (
  parts: ZktParts,
): Pick<Handlers, 'tryZkt' | 'submitZkt' | 'getZktTransaction'> => {
  const submissions: Handlers['tryZkt'] & Handlers['submitZkt'] = {
    message: ({ body }, context) =>
      answered(context, undefined, () => submitMessage(parts, context, body.arguments)),
    call: ({ body }, context) => answered(context, body.id, () => submitCall(parts, context, body)),
    deploy: ({ body }, context) =>
      answered(context, body.id, () => submitDeploy(parts, context, body)),
  }
  return {
    tryZkt: submissions,
    submitZkt: submissions,
    getZktTransaction: createStatusLookup(parts.outbox),
  }
}

export type { ZktParts } from './follow.js'

/**
 * Runs a submission. Its response has the id of the request, of the same type, so that callers can match the two. An error that
 * rejects the submission becomes an HttpError with the documented body; other errors are bugs and are rethrown.
 */
const answered = async <Body extends object>(
  context: HttpContext,
  id: RequestId | undefined,
  work: () => Promise<Body>,
): Promise<{ readonly status: 200; readonly body: Body & { readonly id?: RequestId } }> => {
  try {
    return { status: 200, body: { ...(await work()), ...echo(id) } }
  } catch (error) {
    // The caller has left, and the error of an abort is expected.
    if (context.signal.aborted) throw error
    const rejected = error instanceof RejectedSubmission ? error : unavailable(error)
    throw rejected ? httpErrorOf(rejected, context, id) : error
  }
}

export type RequestId = string | number

/** A part of the service is temporarily unavailable; undefined for any other error. */
const unavailable = (error: unknown): RejectedSubmission | undefined => {
  if (error instanceof StoreUnavailable) return say('the queue does not answer', error)
  if (error instanceof OutboxFull) return say('the queue is full', error)
  if (error instanceof NoTurn) return say('the compiler is busy', error)
  if (isOfNode(error)) return say('the node does not answer', error)
  return undefined
}

const say = (what: string, cause: Error): RejectedSubmission =>
  new RejectedSubmission('UNAVAILABLE', `${what}, try again later`, { cause })

const echo = (id: RequestId | undefined): { readonly id?: RequestId } =>
  id === undefined ? {} : { id }

const httpErrorOf = (
  rejected: RejectedSubmission,
  context: HttpContext,
  id: RequestId | undefined,
): HttpError => {
  const { message, errorCode, details, retrySeconds } = rejected
  const status = STATUS[errorCode]
  const more = details === undefined ? {} : { details }
  const body = { success: false, error: message, errorCode, ...more, ...echo(id) }
  const retry = retrySeconds ?? (status === 503 ? RETRY_SECONDS : undefined)
  const headers = new Headers(retry === undefined ? {} : { 'retry-after': String(retry) })
  const operation = context.operation.id
  return new HttpError({ operation, status, body, message, headers }, { cause: rejected })
}

/** Looks up a submission in the queue; its state determines the fields of the response. */
const createStatusLookup =
  (outbox: Outbox): Handlers['getZktTransaction'] =>
  async ({ path }, { operation }) => {
    const reject = (
      status: number,
      message: string,
      headers?: Headers,
      cause?: unknown,
    ): HttpError => {
      const details = { operation: operation.id, status, message, body: { error: message } }
      return new HttpError(headers ? { ...details, headers } : details, { cause })
    }
    let record: StatusRecord | undefined
    try {
      record = await outbox.find(path.queueId.toLowerCase())
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      const headers = new Headers({ 'retry-after': String(RETRY_SECONDS) })
      throw reject(503, 'the queue does not answer, try again later', headers, error)
    }
    if (record === undefined) throw reject(404, 'Transaction not found')
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: bodyOf(record) }
  }

type StatusBody = Extract<
  Awaited<ReturnType<Handlers['getZktTransaction']>>,
  { readonly status: 200 }
>['body']

const bodyOf = (record: StatusRecord): StatusBody => {
  const { queueId, status, hash } = record
  const createdAt = record.createdAt.toISOString()
  switch (status) {
    case 'pending':
    case 'processing':
      return { status, queueId }
    case 'completed': {
      const processedAt = (record.processedAt ?? record.createdAt).toISOString()
      return { status, queueId, transactionHash: hash, errorMessage: null, createdAt, processedAt }
    }
    case 'error': {
      const errorMessage = record.errorMessage ?? 'the transaction failed'
      return { status, queueId, errorMessage, createdAt }
    }
  }
}

/**
 * Writes a text to the chain: its UTF-8 bytes are the data of a transaction from the wallet to itself. No code runs, so the gas
 * is known here without a call to the node.
 */
const submitMessage = async (parts: ZktParts, context: HttpContext, text: string) => {
  const signer = signerOf(parts, context)
  const { data, gas } =
    text.length < LARGE ? prepareMessage(text) : await inThread('prepareMessage', text)
  const accepted = await enqueueSubmission(parts, context, {
    kind: 'message',
    wallet: signer.index,
    to: signer.address,
    data,
    gas,
  })
  return { success: true as const, ...followIds(accepted) }
}

/** Compiles a contract, deploys it, and waits until it is mined: only then can the response contain the contract's address. */
const submitDeploy = async (parts: ZktParts, context: HttpContext, body: DeployBody) => {
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
  const accepted = await enqueueSubmission(parts, context, submission, innerBytes)
  const { warning } = await followTransaction(parts, context, accepted)
  if (warning) return warning
  const { from, nonce } = accepted
  return {
    success: true as const,
    contractAddress: getContractAddress({ from, nonce: BigInt(nonce) }),
    abi: entriesOf(compiled),
    ...followIds(accepted),
  }
}

type DeployBody = TryZktVariants['deploy']['input']['body']

type DeployAnswer = Extract<TryZktVariants['deploy']['result'], { abi: unknown[] }>

const compile = async (
  parts: ZktParts,
  context: HttpContext,
  source: string,
): Promise<CompiledContract> => {
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
    throw new RejectedSubmission('COMPILATION_FAILED', message, options)
  }
}

const creation = async (
  { abi, bytecode }: CompiledContract,
  args: readonly unknown[],
): Promise<Hex> => {
  const json = JSON.stringify(args)
  return json.length < LARGE
    ? creationCode(abi, bytecode, json)
    : inThread('creationCode', abi, bytecode, json)
}

/** viem's type of an ABI allows abbreviated entries; this one comes from the Solidity compiler, whose entries are complete. */
const entriesOf = ({ abi }: CompiledContract): DeployAnswer['abi'] =>
  [...abi] as DeployAnswer['abi']
