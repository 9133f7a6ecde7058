import { ethChainId, httpService } from '@acme/zkt/operations'

export const use = () => ({
  method: ethChainId.method,
  paths: Object.values(httpService.operations).map(({ path }) => path),
})
