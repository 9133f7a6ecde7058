import { createHttpClient, isHttpError } from '../generated/http.client.js'
import { createRpcClient, isRpcError } from '../generated/rpc.client.js'

/** What a member does in an afternoon, by both clients, and what comes of it. */
export const visit = async (server: string, counter: string, libraryCard: string) => {
  const http = createHttpClient({ server, auth: { libraryCard } })
  const rpc = createRpcClient({ server: counter })
  const [solaris] = await http.findBooks({ query: { author: ['Lem', 'Zamyatin'], onShelf: true } })
  const isbn = solaris?.isbn ?? 'none'
  const loan = await http.borrowBook({ path: { isbn }, body: { member: 12, due: '2027-01-31' } })
  const [book, nobody, mine] = await rpc.batch((b) =>
    Promise.all([
      b.bookGet({ isbn }),
      b.bookGet({ isbn: '9780000000002' }),
      b.loanList({ member: 12 }),
    ]),
  )
  const longer = await rpc.loanExtend({ isbn, days: 7 })
  const tooLong = await rpc.loanExtend({ isbn, days: 100 }).catch((error: unknown) => {
    if (isRpcError(error, 4001)) return error.data
    throw error
  })
  await rpc.notify('shelf.note', { text: 'The lamp is broken', isbn: null })
  const stranger = createHttpClient({ server, auth: { libraryCard: 'card-0000' } })
  const refused = await stranger
    .borrowBook({ path: { isbn }, body: { member: 13, due: null } })
    .catch((error: unknown) => {
      if (isHttpError(error, 'borrowBook', 401)) return error.body.message
      throw error
    })
  const wasLent = await rpc.loanEnd({ isbn })
  return {
    subtitle: solaris?.subtitle,
    loan,
    book,
    nobody,
    mine,
    longer,
    tooLong,
    refused,
    wasLent,
  }
}
