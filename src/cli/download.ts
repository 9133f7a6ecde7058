import { lookup as lookupOf } from 'node:dns'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { redirectLocation } from '../runtime/link/redirects.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { codingsOf } from '../runtime/wire/headers.js'

/**
 * Downloads a URL: https, or http on this machine if `isLocalAllowed`. Redirects are followed, but not from other machines to
 * this one, and never to a private address. Throws FetchError, whose message has the expectation and the result.
 */
export const download = async (
  uri: string,
  { mostBytes, milliseconds, isLocalAllowed }: DownloadOptions,
) => {
  const signal = AbortSignal.timeout(Math.max(1, milliseconds))
  let url = new URL(uri)
  const isOwn = isLoopbackHost(url)
  // Any server of this machine may answer, and even a GET request may have an effect there.
  if (isOwn && !isLocalAllowed)
    throw new FetchError(
      'it is on this machine: a document may refer to it only if it was itself fetched from this machine, or if --fetch-references is on the command line, not in the configuration',
    )
  for (let count = 0; count <= MOST_REDIRECTS; count++) {
    assertAllowed(url, isOwn)
    const response = await respond(url, isOwn, signal)
    const { statusCode = 0, headers } = response
    const location = redirectLocation({
      status: statusCode,
      header: () => headers.location ?? null,
    })
    if (location !== undefined) {
      response.destroy()
      if (!URL.canParse(location, url))
        throw new FetchError(`it redirects to ${location}, which is not a URL`)
      url = new URL(location, url)
      continue
    }
    if (statusCode !== 200) {
      response.destroy()
      throw new FetchError(`the response has the status ${statusCode} instead of 200`)
    }
    const bytes = await collect(response, mostBytes, signal)
    return { bytes, mediaType: headers['content-type'] ?? '' }
  }
  throw new FetchError(`it redirects more than ${MOST_REDIRECTS} times`)
}

type DownloadOptions = {
  readonly mostBytes: number
  readonly milliseconds: number
  /** Whether the URL may be one of this machine. */
  readonly isLocalAllowed: boolean
}

/** A failed download, with a message for reports. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
}

const MOST_REDIRECTS = 5

const assertAllowed = (url: URL, isOwn: boolean): void => {
  const { protocol, hostname, username, password } = url
  if (username !== '' || password !== '')
    throw new FetchError('the URL contains a user or a password, which would be written to files')
  const isLocal = isLoopbackHost(url)
  if (isLocal && !isOwn) throw new FetchError(`it redirects to this machine: ${hostname}`)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    throw new FetchError(
      `${url.protocol}//${url.host} is not https: use https, or http on this machine`,
    )
  const address = hostname.replace(/^\[|\]$/g, '')
  if (!isLocal && isIP(address) !== 0 && isPrivate(address)) throw notPublic(hostname, address)
}

const respond = (url: URL, isOwn: boolean, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const get = url.protocol === 'https:' ? getSecure : getPlain
    const lookup = isOwn && isLoopbackHost(url) ? {} : { lookup: publicLookup }
    const headers = { accept: 'application/json, application/yaml, */*', 'user-agent': 'twinspec' }
    const request = get(url, { headers, signal, agent: false, ...lookup }, resolve)
    request.on('error', (cause) => reject(failure(cause, signal)))
  })

/** Looks up a host and allows the connection only if all its addresses are public; another lookup could return others. */
const publicLookup: LookupFunction = (hostname, options, answer) => {
  lookupOf(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return answer(error, '')
    const wrong = addresses.find(({ address }) => isPrivate(address))
    if (wrong) return answer(notPublic(hostname, wrong.address), '')
    const [first] = addresses
    if (options.all) answer(null, addresses)
    else answer(null, first?.address ?? '', first?.family)
  })
}

const notPublic = (hostname: string, address: string): FetchError =>
  new FetchError(`${hostname} is at ${address}, which is not a public address`)

const collect = async (
  response: IncomingMessage,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const codings = codingsOf(response.headers['content-encoding'])
  if (codings.length > 0) {
    response.destroy()
    throw new FetchError(
      `the response is encoded as ${codings.join(', ')}, which the request did not accept`,
    )
  }
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Uint8Array>) {
      size += part.length
      if (size > mostBytes)
        throw new FetchError(`it has more than ${mostBytes} bytes, which is the limit`)
      parts.push(part)
    }
  } catch (cause) {
    throw failure(cause, signal)
  }
  return Buffer.concat(parts)
}

const failure = (cause: unknown, signal: AbortSignal): FetchError => {
  if (cause instanceof FetchError) return cause
  return signal.aborted
    ? new FetchError('it took longer than the time limit', { cause })
    : new FetchError(messageOf(cause), { cause })
}

/** Whether a URL names this machine; other spellings of the address, such as `127.1`, are the same in a URL. */
export const isLoopbackHost = ({ hostname }: URL): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** RFC 6890 and its successors: addresses that no public server has. */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv6')

/** An IPv4 address that is written as IPv6 is checked as IPv4. */
const isPrivate = (address: string): boolean =>
  PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
