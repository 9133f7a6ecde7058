import { createRpcClient } from '@acme/zkt/rpc'
import { stdioLink } from '@acme/zkt/runtime/links/stdio'

/** Two streams of bytes as those of a child process: each call is answered by a line. */
export const use = async () => {
  const lines = []
  let wake = () => undefined
  async function* input() {
    for (;;) {
      while (lines.length > 0) yield new TextEncoder().encode(`${lines.shift()}\n`)
      await new Promise((resolve) => {
        wake = resolve
      })
    }
  }
  const output = {
    write: (text, done) => {
      const respond = ({ id, method }) => ({
        ...{ jsonrpc: '2.0', id },
        result: method === 'eth_chainId' ? '0x133edcb' : '0x10',
      })
      for (const line of text.trim().split('\n'))
        lines.push(JSON.stringify(JSON.parse(line).map(respond)))
      wake()
      done()
    },
  }
  const link = stdioLink({ input: input(), output })
  const rpc = createRpcClient({ link })
  return await rpc.batch((b) => Promise.all([b.ethChainId(), b.ethBlockNumber()]))
}
