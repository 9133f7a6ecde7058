import { ethGetBalance } from '@acme/zkt/explanations'

export const use = () => {
  const { params } = ethGetBalance
  const faults = params.explain(['nobody'])
  return {
    right: params.explain([`0x${'0a'.repeat(20)}`, 'latest']),
    wrong: faults.map(({ pointer, keyword }) => [pointer, keyword]),
  }
}
