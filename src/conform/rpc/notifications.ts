import { callText } from '../wire/write-rpc.js'
import { noBody, silence } from './due.js'
import { type Reply, wayOf } from './reply.js'
import type { Row } from './row.js'
import { isReading, rpcOperations, type Subject } from './subject.js'

/**
 * Nobody is answered who gave no id, which is due of every answer: here is what shows it. All of these only read.
 */
export const NOTIFICATIONS: readonly Row[] = [
  {
    id: 'notification-rejected',
    level: 'error',
    purpose: 'A notification is accepted without a word, by HTTP too.',
    clause: 'JSON-RPC 2.0, 4.1 and 6',
    checks: ['J70', 'J71', 'J78'],
    tries: [
      {
        title: 'a notification',
        body: (on) => on.call(null),
        due: silence,
        choice: 'answer to a notification',
        way: silentWay,
      },
      {
        title: 'a notification of an unknown method',
        body: ({ unknown }) => callText(unknown, [], null),
        due: noBody,
        choice: 'answer to a faulty notification',
      },
      {
        title: 'a notification with the wrong params',
        body: wrongNotification,
        due: noBody,
        choice: 'answer to a faulty notification',
        cannot: 'no documented method that only reads needs params',
      },
      {
        title: 'a batch of notifications',
        body: (on) => `[${on.call(null)},${on.call(null)}]`,
        due: silence,
        cost: 2,
      },
    ],
  },
]

function wrongNotification({ api }: Subject): string | undefined {
  const found = rpcOperations(api).find(
    (one) => isReading(one) && one.params.some(({ required }) => required),
  )
  return found && callText(found.method, found.paramStructure === 'by-name' ? {} : [], null)
}

function silentWay(reply: Reply): string {
  return reply.kind === 'empty' ? `nothing, under HTTP ${reply.status}` : wayOf(reply)
}
