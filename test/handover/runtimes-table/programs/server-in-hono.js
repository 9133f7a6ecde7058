import { toFetchHandler } from '@acme/zkt/server'
import { Hono } from 'hono'
import { answersBy, served } from './served.js'

export const use = async () => {
  const app = new Hono()
  const server = served()
  const handle = toFetchHandler(server)
  for (const path of server.paths)
    app.all(path.replace(/\{(\w+)\}/g, ':$1'), (c) => handle(c.req.raw, c))
  return answersBy((path, init) => app.request(path, init))
}
