import {
  type Fields,
  isAddress,
  isBloom,
  isBytes,
  isCallData,
  isFields,
  isHash,
  isNonce,
  isUint64,
  isUint256,
} from './hand-written-hex.js'

/** A block with its transactions, all as hashes or all in full. */
export const isBlock = (value: unknown): boolean =>
  isFields(value) &&
  isHeader(value) &&
  isUint64(value.size) &&
  Array.isArray(value.transactions) &&
  (value.transactions.every(isTransaction) || value.transactions.every(isHash)) &&
  Array.isArray(value.uncles) &&
  value.uncles.every(isHash) &&
  (value.withdrawals === undefined ||
    (Array.isArray(value.withdrawals) && value.withdrawals.every(isWithdrawal)))

const isHeader = (value: Fields): boolean =>
  isUint256(value.difficulty) &&
  isBytes(value.extraData) &&
  isUint64(value.gasLimit) &&
  isUint64(value.gasUsed) &&
  (value.hash === null || isHash(value.hash)) &&
  (value.logsBloom === null || isBloom(value.logsBloom)) &&
  (value.miner === null || isAddress(value.miner)) &&
  isHash(value.mixHash) &&
  (value.nonce === null || isNonce(value.nonce)) &&
  (value.number === null || isUint64(value.number)) &&
  isHash(value.parentHash) &&
  isHash(value.receiptsRoot) &&
  isHash(value.sha3Uncles) &&
  isHash(value.stateRoot) &&
  isUint64(value.timestamp) &&
  isHash(value.transactionsRoot) &&
  (value.baseFeePerGas === undefined || isUint256(value.baseFeePerGas)) &&
  (value.blobGasUsed === undefined || isUint64(value.blobGasUsed)) &&
  (value.blockAccessListHash === undefined || isHash(value.blockAccessListHash)) &&
  (value.excessBlobGas === undefined || isUint64(value.excessBlobGas)) &&
  (value.parentBeaconBlockRoot === undefined || isHash(value.parentBeaconBlockRoot)) &&
  (value.requestsHash === undefined || isHash(value.requestsHash)) &&
  (value.totalDifficulty === undefined || isUint256(value.totalDifficulty)) &&
  (value.withdrawalsRoot === undefined || isHash(value.withdrawalsRoot))

function isTransaction(value: unknown): boolean {
  if (!isFields(value)) return false
  if (OTHERS.has(value.type)) return isOther(value)
  if (!isPlaced(value)) return false
  switch (value.type) {
    case '0x0':
      return (
        isUint256(value.gasPrice) &&
        isUint256(value.v) &&
        (value.chainId === undefined || isUint256(value.chainId))
      )
    case '0x1':
      return isUint256(value.gasPrice) && hasAccessList(value)
    case '0x2':
      return hasFees(value) && hasAccessList(value)
    case '0x3':
      return (
        Array.isArray(value.blobVersionedHashes) &&
        value.blobVersionedHashes.every(isHash) &&
        isUint256(value.maxFeePerBlobGas) &&
        hasFees(value) &&
        hasAccessList(value)
      )
    case '0x4':
      return (
        Array.isArray(value.authorizationList) &&
        value.authorizationList.every(isAuthorization) &&
        hasFees(value) &&
        hasAccessList(value)
      )
    default:
      return false
  }
}

/** The types of other chains: those of EIP-2718 that Ethereum does not have, and two of ZKsync. */
const OTHERS: ReadonlySet<unknown> = new Set([
  ...Array.from({ length: 123 }, (_, index) => `0x${(index + 5).toString(16)}`),
  '0xfe',
  '0xff',
])

/** A transaction of another chain. */
const isOther = (value: Fields): boolean => {
  const isAbsentOr = (check: (one: unknown) => boolean, ...names: readonly string[]) =>
    names.every((name) => value[name] === undefined || check(value[name]))
  return (
    (value.blockHash === null || isHash(value.blockHash)) &&
    (value.blockNumber === null || isUint64(value.blockNumber)) &&
    (value.transactionIndex === null || isUint64(value.transactionIndex)) &&
    (value.blockTimestamp === undefined ||
      value.blockTimestamp === null ||
      isUint64(value.blockTimestamp)) &&
    (value.to === undefined || value.to === null || isAddress(value.to)) &&
    isAddress(value.from) &&
    isHash(value.hash) &&
    isAbsentOr(isUint64, 'gas', 'nonce', 'yParity') &&
    isAbsentOr(isUint256, 'chainId', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas') &&
    isAbsentOr(isUint256, 'r', 's', 'v', 'value') &&
    isAbsentOr(isCallData, 'input') &&
    (value.accessList === undefined ||
      (Array.isArray(value.accessList) && value.accessList.every(isAccessListEntry)))
  )
}

const isPlaced = (value: Fields): boolean =>
  (value.blockHash === null || isHash(value.blockHash)) &&
  (value.blockNumber === null || isUint64(value.blockNumber)) &&
  (value.blockTimestamp === undefined ||
    value.blockTimestamp === null ||
    isUint64(value.blockTimestamp)) &&
  isAddress(value.from) &&
  isUint64(value.gas) &&
  (value.gasPrice === undefined || isUint256(value.gasPrice)) &&
  isHash(value.hash) &&
  isCallData(value.input) &&
  isUint64(value.nonce) &&
  isUint256(value.r) &&
  isUint256(value.s) &&
  (value.to === null || isAddress(value.to)) &&
  (value.transactionIndex === null || isUint64(value.transactionIndex)) &&
  (value.v === undefined || isUint256(value.v)) &&
  isUint256(value.value)

const hasFees = (value: Fields): boolean =>
  isUint256(value.maxFeePerGas) && isUint256(value.maxPriorityFeePerGas)

const hasAccessList = (value: Fields): boolean =>
  isUint256(value.chainId) &&
  isYParity(value.yParity) &&
  Array.isArray(value.accessList) &&
  value.accessList.every(isAccessListEntry)

const isYParity = (value: unknown): boolean => value === '0x0' || value === '0x1'

const isAccessListEntry = (value: unknown): boolean =>
  isFields(value) &&
  isAddress(value.address) &&
  Array.isArray(value.storageKeys) &&
  value.storageKeys.every(isHash)

const isAuthorization = (value: unknown): boolean =>
  isFields(value) &&
  isUint256(value.chainId) &&
  isAddress(value.address) &&
  isUint64(value.nonce) &&
  isUint64(value.yParity) &&
  isUint256(value.r) &&
  isUint256(value.s)

const isWithdrawal = (value: unknown): boolean =>
  isFields(value) &&
  isUint64(value.index) &&
  isUint64(value.validatorIndex) &&
  isAddress(value.address) &&
  isUint256(value.amount)
