// A server in a process of its own: it answers whatever is asked with what it was given, under the id that was asked with.
import { createServer } from 'node:http'
import { accountsText } from './accounts.mjs'

const { results, answer } = JSON.parse(process.argv[2])

const accounts = accountsText()

const answered = ({ id, method }) => ({ jsonrpc: '2.0', id, result: results[method] })

const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const sent = request.url?.startsWith('/rpc') ? JSON.parse(text) : undefined
    const reply = Array.isArray(sent) ? sent.map(answered) : sent ? answered(sent) : answer
    response.writeHead(200, { 'content-type': 'application/json' })
    // A text has numbers that a value of JavaScript does not.
    if (sent?.method === 'getProgramAccounts')
      return response.end(`{"jsonrpc":"2.0","id":${sent.id},"result":${accounts}}`)
    response.end(JSON.stringify(reply))
  })
})
// While it is another client's turn, nobody's connections are closed.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))

process.once('disconnect', () => process.exit())
