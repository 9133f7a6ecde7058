// A process that answers calls over a WebSocket by text, and sends as many items as it is asked for.
import { WebSocketServer } from 'ws'

const HEAD = `"number":"0x10d4f","hash":"0x${'ab'.repeat(32)}","parentHash":"0x${'cd'.repeat(32)}"`
const result = (id, value) => `{"jsonrpc":"2.0","id":${id},"result":${value}}`
const item = (subscription) =>
  `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${subscription}","result":{${HEAD}}}}`

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => {
  let last = 0
  socket.on('message', (data) => {
    const text = data.toString()
    const id = /"id":(\d+)/.exec(text)?.[1]
    if (text.includes('eth_subscribe')) {
      last += 1
      socket.send(result(id, `"0x${last.toString(16)}"`))
    } else if (text.includes('eth_unsubscribe')) socket.send(result(id, 'true'))
    else if (text.includes('eth_chainId')) socket.send(result(id, '"0x1"'))
    else if (text.includes('bench_send')) {
      // Items of the newest subscription, before the response.
      const [, count] = /\[(\d+)\]/.exec(text)
      const own = item(`0x${last.toString(16)}`)
      for (let left = Number(count); left > 0; left -= 1) socket.send(own)
      socket.send(result(id, 'null'))
    } else socket.send(result(id, '"0x10d4f"'))
  })
})
server.on('listening', () => process.send({ port: server.address().port }))
process.once('disconnect', () => process.exit())
