import { createHttpClient, isHttpError } from '@acme/zkt/http'

export const use = async ({ url }) => {
  const http = createHttpClient({ server: url, auth: { apiKey: 'my-key' } })
  const { queueId } = await http.submitZkt({ body: { arguments: 'hello' } })
  const states = []
  for await (const record of http.getZktTransaction.poll({ path: { queueId } }, { interval: 1 }))
    states.push(record.status)
  const ask = http.getZktTransaction({ path: { queueId: '0d0c7a1e-94b6-4f38-8a27-6be1f0c3d942' } })
  const refused = await ask.catch((error) =>
    isHttpError(error, 'getZktTransaction', 404) ? error.body.error : String(error),
  )
  const broken = { body: { arguments: 'hello', to: 'nobody' } }
  const unsent = await http.tryZkt(broken).catch(({ name, message }) => [name, /to/.test(message)])
  return { queueId: queueId.length, states, refused, unsent }
}
