import { Agent, request } from 'node:http'

/** A caller that costs as little as it can: kept connections, no parsing but of what is asked for. */
export const createLoad = (concurrency: number): Load => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const post = (url: string, body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }
      const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(text)
          else reject(new Error(`${answer.statusCode} ${text}`))
        })
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return {
    post,
    all: async (count, bodyOf) => {
      let next = 0
      const worker = async (): Promise<void> => {
        for (let index = next++; index < count; index = next++) {
          const [url, body] = bodyOf(index)
          const text = await post(url, body)
          if (text.includes('"error"')) throw new Error(text)
        }
      }
      await Promise.all(Array.from({ length: concurrency }, worker))
    },
    close: () => agent.destroy(),
  }
}

export type Load = {
  readonly post: (url: string, body: string) => Promise<string>
  /** Sends `count` requests, a bounded number at a time; rejects with the first that is refused. */
  readonly all: (
    count: number,
    bodyOf: (index: number) => readonly [url: string, body: string],
  ) => Promise<void>
  readonly close: () => void
}

export const rpcBody = (method: string, params: readonly unknown[]): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
