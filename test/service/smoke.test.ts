import { afterAll, expect, test } from 'vitest'
import { createHttpClient } from '../../generated/http.client.js'
import { createRpcClient } from '../../generated/rpc.client.js'
import { type ServiceProcess, startServiceProcess } from '../trials/service-process.js'

let service: ServiceProcess | undefined
afterAll(() => service?.stop())

test('the service starts, and mines a message that a caller with the printed key submits', async () => {
  service = await startServiceProcess({ args: ['--log-level', 'warn'] })
  const printed = () => /^API key {2}(\S+)/m.exec(service?.output() ?? '')?.[1]
  await expect.poll(printed, { timeout: 120_000 }).toBeDefined()
  const client = createHttpClient({ server: service.url, auth: { apiKey: printed() ?? '' } })

  const submitted = await client.submitZkt({ body: { arguments: 'a message' } })
  const { hash } = submitted as { hash: `0x${string}` }
  const queueId = String('queueId' in submitted ? submitted.queueId : undefined)
  const status = () => client.getZktTransaction({ path: { queueId } })
  await expect.poll(status, { timeout: 120_000 }).toMatchObject({ status: 'completed', queueId })

  const chain = createRpcClient({ server: `${service.url}/zgt/try-it-out` })
  expect(await chain.ethGetTransactionReceipt(hash)).toMatchObject({ status: '0x1' })
})
