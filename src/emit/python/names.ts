import { pascalCase, splitWords } from '../../text/names.js'

/** `eth_getBalance` -> `eth_get_balance`: the name of a function, an argument or an attribute, never a word of the language. */
export const snakeCase = (text: string, taken: ReadonlySet<string> = NONE): string => {
  const name = splitWords(text.normalize('NFKC')).join('_').toLowerCase()
  const legal = /^[\p{ID_Start}][\p{ID_Continue}]*$/u.test(name) ? name : `value_${name}`
  const whole = legal.endsWith('_') ? legal.slice(0, -1) : legal
  return KEYWORDS.has(whole) || BUILTINS.has(whole) || taken.has(whole) ? `${whole}_` : whole
}

/** The name of a class: `list-orders` -> `ListOrders`. */
export const className = (text: string): string => {
  const name = pascalCase(text.normalize('NFKC'))
  const legal = /^[\p{ID_Start}]/u.test(name) ? name : `Type${name}`
  return CLASSES.has(legal) ? `${legal}_` : legal
}

/** The name of a package: `Acme Orders API` -> `acme_orders_api`. */
export const pythonPackageName = (title: string): string =>
  snakeCase(title.replace(/[^A-Za-z0-9]+/g, ' ')).replace(/^value_$/, 'client')

const NONE: ReadonlySet<string> = new Set()

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const KEYWORDS = wordsOf(
  `and as assert async await break class continue def del elif else except finally for from global if import in is lambda
  nonlocal not or pass raise return try while with yield match case type none true false`,
)

/** The words of annotations and decorators: a method or an attribute of such a name would hide them from what follows it. */
const BUILTINS = wordsOf('str int float bool list dict tuple object overload self raw')

/** What generated modules import or declare themselves. */
const CLASSES = wordsOf(
  `Any AsyncBatchBlock AsyncClient AsyncClientOptions AsyncHttpClient AsyncRpcClient AsyncRpcHandlers AsyncStream Awaitable Batch BatchBlock
  CallError Callable Client ClientOptions Download Exception False File FileInput HttpCalls HttpClient HttpError Interval Literal Mapping None
  NotRequired Omit Pending Record RpcBatch RpcCalls RpcClient RpcError RpcHandlers Secret Self Service SocketOptions Stream SubscribeOptions SubscriptionGap True TypeAlias TypedDict
  Unpack Warning`,
)

/** The names that every client has. */
export const CLIENT_MEMBERS = wordsOf('close with_options batch')
