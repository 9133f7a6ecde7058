import { toFastifyPlugin } from '@acme/zkt/fastify'
import { fastify } from 'fastify'
import { answersBy, served } from './served.js'

export const use = async () => {
  const app = fastify()
  app.register(toFastifyPlugin(served()))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const answers = await answersBy((path, init) => fetch(url + path, init))
  await app.close()
  return answers
}
