import { isBlock } from './hand-written-block.js'
import {
  type Fields,
  isAddress,
  isBytes,
  isFields,
  isHash,
  isSlot,
  isUint64,
} from './hand-written-hex.js'

/**
 * What somebody writes who reads the documents, knows what is slow and has an afternoon: the measure of the generated checks.
 * `test/runtime/hand-written.test.ts` holds it against the schemas, verdict by verdict.
 */
export const handWritten: Readonly<Record<string, (value: unknown) => boolean>> = {
  ZktSubmission: isSubmission,
  EthGetBalanceRequest: (value) => isEnvelope(value) && isBalanceRequest(value),
  RequestBatch: (value) =>
    Array.isArray(value) && value.length >= 1 && value.length <= 40 && value.every(isRequest),
  Block: isBlock,
}

function isSubmission(value: unknown): boolean {
  if (!isFields(value)) return false
  if (value.code !== undefined) return isDeploy(value)
  return value.method !== undefined ? isCall(value) : isMessage(value)
}

const isMessage = (value: Fields): boolean =>
  typeof value.arguments === 'string' && Object.keys(value).length === 1

function isCall(value: Fields): boolean {
  const { abi, to, method, id, wait } = value
  if (!Array.isArray(abi) || abi.length === 0) return false
  if (!abi.every(isAbiLine) || !isAddress(to)) return false
  if (typeof method !== 'string' || method === '' || !Array.isArray(value.arguments)) return false
  let known = 4
  if (id !== undefined) {
    if (!isSubmissionId(id)) return false
    known += 1
  }
  if (wait !== undefined) {
    if (typeof wait !== 'boolean') return false
    known += 1
  }
  return Object.keys(value).length === known
}

function isDeploy(value: Fields): boolean {
  const { code, id } = value
  if (typeof code !== 'string' || code === '') return false
  let known = 1
  if (value.arguments !== undefined) {
    if (!Array.isArray(value.arguments)) return false
    known += 1
  }
  if (id !== undefined) {
    if (!isSubmissionId(id)) return false
    known += 1
  }
  return Object.keys(value).length === known
}

const isSubmissionId = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'string'

const ABI_LINE =
  /^[ \t\r\n]*((function|event|error|struct)[ \t\r\n]+[A-Za-z_$]|(constructor|fallback|receive)[ \t\r\n]*\()/

const isAbiLine = (value: unknown): boolean => typeof value === 'string' && ABI_LINE.test(value)

function isEnvelope(value: unknown): value is Fields {
  if (!isFields(value) || value.jsonrpc !== '2.0') return false
  const { id } = value
  return id === undefined || id === null || typeof id === 'string' || typeof id === 'number'
}

function isRequest(value: unknown): boolean {
  if (!isEnvelope(value)) return false
  const { params } = value
  switch (value.method) {
    case 'eth_chainId':
    case 'eth_blockNumber':
      return params === undefined || (Array.isArray(params) && params.length === 0)
    case 'eth_getBalance':
      return isBalanceRequest(value)
    case 'eth_getCode':
    case 'eth_getTransactionCount':
      return isAccountAtBlock(params)
    case 'eth_getBlockByNumber':
      return isList(params, 2, 2) && isBlockNumberOrTag(params[0]) && typeof params[1] === 'boolean'
    case 'eth_getTransactionReceipt':
      return isList(params, 1, 1) && isHash(params[0])
    case 'eth_getLogs':
      return isList(params, 1, 1) && isFilter(params[0])
    case 'eth_sendRawTransaction':
      return isList(params, 1, 1) && isBytes(params[0])
    case 'eth_getStorageAt':
      return (
        isList(params, 2, 3) &&
        isAddress(params[0]) &&
        isSlot(params[1]) &&
        (params.length === 2 || isBlockSelector(params[2]))
      )
    default:
      return false
  }
}

const isBalanceRequest = ({ method, params }: Fields): boolean =>
  method === 'eth_getBalance' && isAccountAtBlock(params)

const isList = (value: unknown, least: number, most: number): value is readonly unknown[] =>
  Array.isArray(value) && value.length >= least && value.length <= most

const isAccountAtBlock = (params: unknown): boolean =>
  isList(params, 1, 2) &&
  isAddress(params[0]) &&
  (params.length === 1 || isBlockSelector(params[1]))

const isTag = (value: unknown): boolean =>
  value === 'latest' ||
  value === 'pending' ||
  value === 'safe' ||
  value === 'finalized' ||
  value === 'earliest'

const isBlockNumberOrTag = (value: unknown): boolean => isTag(value) || isUint64(value)

function isBlockSelector(value: unknown): boolean {
  if (typeof value === 'string') return isTag(value) || isUint64(value) || isHash(value)
  if (!isFields(value)) return false
  const size = Object.keys(value).length
  if (value.blockNumber !== undefined) return size === 1 && isBlockNumberOrTag(value.blockNumber)
  if (!isHash(value.blockHash)) return false
  const { requireCanonical } = value
  return requireCanonical === undefined
    ? size === 1
    : size === 2 && typeof requireCanonical === 'boolean'
}

function isFilter(value: unknown): boolean {
  if (!isFields(value)) return false
  const { blockHash, fromBlock, toBlock, address, topics } = value
  let known = 0
  if (address !== undefined) {
    if (!isFilterAddress(address)) return false
    known += 1
  }
  if (topics !== undefined) {
    if (!isFilterTopics(topics)) return false
    known += 1
  }
  if (blockHash !== undefined) return isHash(blockHash) && Object.keys(value).length === known + 1
  if (fromBlock !== undefined) {
    if (!isBlockNumberOrTag(fromBlock)) return false
    known += 1
  }
  if (toBlock !== undefined) {
    if (!isBlockNumberOrTag(toBlock)) return false
    known += 1
  }
  return Object.keys(value).length === known
}

const isFilterAddress = (value: unknown): boolean =>
  value === null || isAddress(value) || (Array.isArray(value) && value.every(isAddress))

const isFilterTopics = (value: unknown): boolean =>
  value === null || (isList(value, 0, 4) && value.every(isFilterTopic))

const isFilterTopic = (value: unknown): boolean =>
  value === null || isHash(value) || (Array.isArray(value) && value.every(isHashOrNull))

const isHashOrNull = (value: unknown): boolean => value === null || isHash(value)
