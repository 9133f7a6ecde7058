import { interceptHere } from './msw-server.js'
import { listenByNode } from './node-listener.js'

export const ways = [listenByNode]
export const intercept = interceptHere
