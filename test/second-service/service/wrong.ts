import type { HttpClient } from '../generated/http.client.js'
import type { RpcClient } from '../generated/rpc.client.js'
import type { Handlers } from '../generated/server.js'

// Each line below its mark must not compile, or the compiler says that the mark is not needed.
export const wrong = async (http: HttpClient, rpc: RpcClient): Promise<Partial<Handlers>> => {
  // @ts-expect-error params come by name
  await rpc.bookGet('9780156027601')
  // @ts-expect-error it is required
  await rpc.loanExtend({ isbn: '9780156027601' })
  // @ts-expect-error null may be said, undefined may not
  await http.borrowBook({ path: { isbn: '9780156027601' }, body: { member: 1, due: undefined } })
  // @ts-expect-error a subtitle may be null
  const length: number | undefined = (await rpc.bookGet({ isbn: '9780156027601' }))?.subtitle.length
  // @ts-expect-error a status that is not declared
  return { borrowBook: () => ({ status: length === 0 ? 418 : 418, body: { message: 'tea' } }) }
}
