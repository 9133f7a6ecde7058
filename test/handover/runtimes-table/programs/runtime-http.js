import { httpService } from '@acme/zkt/operations'
import { createHttp } from '@acme/zkt/runtime/http'
import { getZktTransaction } from '@acme/zkt/validators'

export const use = async ({ url }) => {
  const operations = { getZktTransaction: httpService.operations.getZktTransaction }
  const chosen = createHttp({ ...httpService, operations }, { getZktTransaction }, { server: url })
  const path = { queueId: crypto.randomUUID().replace(/^./, 'a') }
  const ask = async () => (await chosen.getZktTransaction({ path })).status
  return [await ask(), await ask()]
}
