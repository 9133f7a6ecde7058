import { sendBy } from './send.js'

/** By the platform's own `fetch`, whoever put it there. */
export const send = sendBy((url, init) => fetch(url, init))
