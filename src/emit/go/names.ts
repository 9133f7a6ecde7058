import { splitWords } from '../../text/names.js'

/** An exported name: `list-orders` -> `ListOrders`, `orderId` -> `OrderID`. */
export const exportedName = (text: string): string => {
  const name = splitWords(text.normalize('NFKC')).map(capitalised).join('')
  const legal = /^[\p{Lu}]/u.test(name) ? name : `X${name}`
  return legal.replace(NOT_IN_NAMES, '')
}

/** The name of an argument: `order-id` -> `orderID`, never a word of the language. */
export const argumentName = (text: string): string => {
  const [first = '', ...rest] = splitWords(text.normalize('NFKC'))
  const name = (first.toLowerCase() + rest.map(capitalised).join('')).replace(NOT_IN_NAMES, '')
  const legal = /^[\p{L}_]/u.test(name) ? name : `value${name}`
  return RESERVED.has(legal) ? `${legal}_` : legal
}

/** The name of a package: `Acme Orders API` -> `acmeordersapi`, `example.com/acme-orders/v2` -> `acmeorders`. */
export const goPackageName = (text: string): string => {
  const [last = ''] = text
    .split('/')
    .filter((part) => !/^v\d+$/.test(part))
    .slice(-1)
  const name = last.toLowerCase().replace(/[^a-z0-9]+/g, '')
  return /^[a-z]/.test(name) && !RESERVED.has(name) ? name : `client${name}`
}

const capitalised = (word: string): string => {
  const upper = word.toUpperCase()
  if (INITIALISMS.has(upper)) return upper
  if (upper.endsWith('S') && INITIALISMS.has(upper.slice(0, -1))) return `${upper.slice(0, -1)}s`
  return (word[0] ?? '').toUpperCase() + word.slice(1)
}

/** Go allows letters and digits only: no marks. */
const NOT_IN_NAMES = /[^\p{L}\p{Nd}_]/gu

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const INITIALISMS = wordsOf(
  'API CPU CSS DNS HTML HTTP HTTPS ID IP JSON QPS RAM RPC SQL SSH TLS TTL UI URI URL UUID XML',
)

const RESERVED = wordsOf(`
  break case chan const continue default defer else fallthrough for func go goto if import interface map package range return
  select struct switch type var
  any bool byte error false float64 int int64 len make new nil rune string true
  b body c context ctx io iter json options params runtime main init`)

/** What every package declares itself. */
export const DECLARED = wordsOf(`
  CallError CallOption Clock Download File Gap HTTPClient HTTPError HookRequest HookResponse Int Issue Link LinkTarget NewHTTPClient
  NewRPCClient NotValidated Null NullOf NullValue OpenLink Option Pending RPCBatch RPCClient RPCError RPCErrorData RPCHandlers Reason ReasonAborted ReasonInvalidAnswer
  ReasonInvalidInput ReasonMalformedAnswer ReasonNetwork ReasonOverflow ReasonResponseTooLarge ReasonTimeout ReasonUnmatchedAnswer Record
  ReadJSON ResponseValidation Retry Strict Tolerant Warning WithBuffer WithClientPackage WithClock WithContentType WithDropOldest
  WithHTTPClient WithHandlers WithHeader WithLink WithOnGap WithOnHandlerError WithResubscriptions
  WithMaxResponseBytes WithOnRequest WithOnResponse WithOnWarning WithPollInterval WithPollTimeout WithResponseValidation
  WithRetry WithTimeout WithVariables WithoutInputValidation`)

/** The fields and methods that every struct of a response has. */
export const STRUCT_MEMBERS = wordsOf('Record Raw Others MarshalJSON String Error')
