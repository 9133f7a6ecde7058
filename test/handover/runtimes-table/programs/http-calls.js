import { createSubmitZktClient } from '@acme/zkt/http/calls'

export const use = async ({ url }) => {
  const { submitZkt } = createSubmitZktClient({ server: url, auth: { apiKey: 'my-key' } })
  const { queueId } = await submitZkt({ body: { arguments: 'hello' } })
  return queueId.length
}
