import ganache from 'ganache'
import { listening } from '../listening.mjs'

const server = ganache.server({ logging: { quiet: true }, wallet: { seed: 'real servers' } })
await server.listen(0, '127.0.0.1')
listening(server.address().port)
