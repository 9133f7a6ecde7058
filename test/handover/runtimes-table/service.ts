import { randomUUID } from 'node:crypto'
import { createServer as createListener } from 'node:http'
import { createServer, notOffered, toNodeListener } from '../../../generated/server.js'
import { RpcError } from '../../../src/runtime/errors.js'

/**
 * What the programs call, on a free port of the loopback, and the files of pages beside it. A service without a chain: few
 * operations, each with one answer.
 */
export const startService = async (files: PageFiles): Promise<Service> => {
  const answer = toNodeListener(calledService())
  const listener = createListener((request, response) => {
    const file = request.method === 'GET' ? files(request.url ?? '') : undefined
    if (file === undefined) return answer(request, response)
    response.writeHead(200, file.headers)
    response.end(file.body)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('there is no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        listener.closeAllConnections()
      }),
  }
}

export type Service = { readonly url: string; readonly close: () => Promise<void> }

/** What lies at a path; undefined where nothing does. */
export type PageFiles = (path: string) => PageFile | undefined

export type PageFile = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

const calledService = () => {
  const looked = new Set<string>()
  const deploy = () =>
    ({ status: 400, body: { success: false, error: 'nothing is deployed here' } }) as const
  const write = () => {
    const queueId = `a${randomUUID().slice(1)}`
    return { status: 200, body: { success: true, queueId } } as const
  }
  return createServer({
    ...notOffered,
    tryZkt: {
      message: write,
      call: ({ body }) =>
        body.method === 'sum' ? { status: 200, body: { success: true, output: ['41'] } } : write(),
      deploy,
    },
    submitZkt: { message: write, call: write, deploy },
    getZktTransaction: ({ path: { queueId } }) => {
      if (queueId.startsWith('0')) return { status: 404, body: { error: 'Transaction not found' } }
      if (looked.has(queueId))
        return { status: 200, body: { status: 'completed', queueId, ...MINED } }
      looked.add(queueId)
      return { status: 200, body: { status: 'pending', queueId } }
    },
    ethChainId: () => '0x133edcb',
    ethBlockNumber: () => '0x10',
    ethGetBalance: () => {
      throw new RpcError({ code: -32000, message: 'header not found' })
    },
    // It never answers: callers give it up.
    ethSyncing: () => new Promise(() => undefined),
    chainGetSupportedTokens: () => ({ code: 200, value: [`0x${'0a'.repeat(20)}`] }),
  })
}

const AT = '2026-03-02T09:15:04.118Z'
const MINED = { transactionHash: `0x${'9f'.repeat(32)}`, createdAt: AT, processedAt: AT } as const
