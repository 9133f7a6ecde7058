import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'

let service: ServiceProcess
beforeAll(async () => {
  service = await startServiceProcess({ args: ['--no-docs'] })
})
afterAll(() => service?.stop())

it('the thread for large submissions does not keep the service from ending', async () => {
  const response = await fetch(`${service.url}/zkt/try-it-out`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ arguments: 'm'.repeat(900_000) }),
  })
  expect(response.status).toBe(200)
  // It is null where the service did not end within 45 seconds and was killed.
  expect(await service.stop()).toBe(0)
})
