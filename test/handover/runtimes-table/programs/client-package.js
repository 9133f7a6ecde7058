import { clientPackage } from '@acme/zkt/client-package'
import { createHttpClient } from '@acme/zkt/http'

export const use = async ({ url }) => {
  let sent
  const http = createHttpClient({
    server: url,
    auth: { apiKey: 'my-key' },
    clientPackage,
    onRequest: ({ headers }) => {
      sent = headers.get('x-client-package')
    },
  })
  await http.submitZkt({ body: { arguments: 'hello' } })
  return sent
}
