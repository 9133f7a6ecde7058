import type { Case } from '../case.js'
import type { Plan } from '../cases/plan.js'
import { accessCases } from './access.js'
import { batchSizeCases } from './batch-size.js'
import { BATCHES } from './batches.js'
import { CONNECTIONS } from './connections.js'
import { discoveryCases } from './discovery.js'
import { ENVELOPE } from './envelope.js'
import { HTTP_BINDING } from './http-binding.js'
import { IDS } from './ids.js'
import { encodingCases, payloadCases } from './limits.js'
import { METHODS } from './methods.js'
import { NOTIFICATIONS } from './notifications.js'
import { PARAMS } from './params.js'
import { PARSING } from './parsing.js'
import { rateCases } from './rate.js'
import { casesOf } from './row.js'
import { swappedCase } from './swapped.js'

/** What the protocol itself asks of a server, whatever its methods are. */
export const rpcCases = ({ api, target, skip }: Plan): readonly Case[] => {
  if (api.rpc === undefined) return []
  if (target.rpc === undefined) {
    skip('JSON-RPC', 'no server of its document is named')
    return []
  }
  const { batchSize, payloadBytes, requestsPerMinute } = api.rpc.limits
  const limited = <T>(limit: T | undefined, cases: (limit: T) => readonly Case[], what: string) => {
    if (limit !== undefined) return cases(limit)
    skip(`JSON-RPC, ${what}`, 'the documents declare no limit for it')
    return []
  }
  return [
    ...casesOf([...PARSING, ...ENVELOPE, ...IDS, ...METHODS, ...PARAMS]),
    ...casesOf([...NOTIFICATIONS, ...BATCHES]),
    swappedCase(batchSize ?? 8),
    ...limited(batchSize, batchSizeCases, 'the size of a batch'),
    ...casesOf(HTTP_BINDING),
    ...encodingCases,
    ...limited(payloadBytes, payloadCases, 'the size of a body'),
    ...CONNECTIONS,
    ...accessCases(api),
    ...discoveryCases(api),
    ...limited(requestsPerMinute, (rate) => rateCases(rate, batchSize), 'the rate of calls'),
  ]
}
