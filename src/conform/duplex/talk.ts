import type { Exchange } from '../../traffic/exchange.js'
import type { Session } from '../case.js'
import { postRpc } from '../wire/write-request.js'
import { type DuplexConnection, type DuplexMessage, openConnection } from './connection.js'

/** Runs a case over a connection of its own. */
export const overConnection = async (
  session: Session,
  cost: number,
  run: (connection: DuplexConnection) => Promise<void>,
): Promise<void> => {
  await session.take(cost)
  const connection = await connectionFor(session)
  try {
    await run(connection)
  } finally {
    await connection.close()
  }
}

export const connectionFor = ({ target }: Session): Promise<DuplexConnection> =>
  openConnection(postRpc(target, ''), target.stdio, WAIT)

/** The response to a call. A request of the server that arrives meanwhile is answered wrongly. */
export const callOver = async (
  connection: DuplexConnection,
  text: string,
  id: unknown,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  let seen = 0
  await connection.send(text)
  return connection.until(() => {
    for (const { members, isOfServer } of connection.messages.slice(seen))
      for (const one of members)
        if (isOfServer && one.id !== undefined)
          void connection.send(
            JSON.stringify({ jsonrpc: '2.0', id: one.id, result: { wrong: true } }),
          )
    seen = connection.messages.length
    return responsesIn(connection.messages).find((one) => one.id === id)
  }, WAIT)
}

export const responsesIn = (messages: readonly DuplexMessage[]) =>
  messages.flatMap(({ members, isOfServer }) => (isOfServer ? [] : members))

/** A text and what arrived over its connection, for a finding. */
export const exchangeOf = (
  { target }: Session,
  text: string,
  { messages, whyClosed }: Pick<DuplexConnection, 'messages' | 'whyClosed'>,
): Exchange => {
  const received = messages.slice(-MOST_SHOWN).map((one) => one.text)
  const sent = postRpc(target, text)
  if (received.length === 0)
    return { ...{ sent, answer: undefined }, failure: whyClosed() ?? 'nothing arrived' }
  return {
    ...{ sent, failure: undefined },
    answer: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: new TextEncoder().encode(received.join('\n')),
      milliseconds: 0,
    },
  }
}

/** Milliseconds until a connection or a response counts as missing. */
export const WAIT = 5_000
const MOST_SHOWN = 20
