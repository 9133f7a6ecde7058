import type { Settings } from './settings.js'

/** What a person reads once the service is ready. Each line of curl works as it stands, by itself. */
export const bannerOf = ({ url, key }: Running, settings: BannerSettings): readonly string[] => {
  const address = reachable(url)
  const json = `-H 'content-type: application/json'`
  const submit = `curl -s ${address}/zkt/try-it-out ${json} -d '{"arguments":"hello"}'`
  const queueId = `$(${submit} | sed 's/.*"queueId":"\\([^"]*\\)".*/\\1/')`
  return [
    `The service is ready at ${url}`,
    '',
    ...(key === undefined ? [] : [`API key  ${key}  (told this once)`]),
    `Chain    ${chainOf(settings)}`,
    `Store    ${storeOf(settings)}`,
    ...(settings.docs ? [`Docs     ${address}/docs/`] : []),
    '',
    'Read the chain, write a message to it, and see how far another one has come:',
    '',
    `  curl -s ${address}/zgt/try-it-out ${json} -d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'`,
    `  curl -s ${address}/zkt/${key ?? 'try-it-out'} ${json} -d '{"arguments":"hello"}'`,
    `  curl -s ${address}/gtn/v1/zkt/transaction/${queueId}`,
    '',
    'Ctrl-C ends it.',
  ]
}

type Running = { readonly url: string; readonly key: string | undefined }

type BannerSettings = Pick<Settings, 'chainId' | 'data' | 'databaseUrl' | 'docs' | 'upstream'>

/** Listening on every address is not an address to call. */
const reachable = (url: string): string =>
  url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')

const chainOf = ({ chainId, upstream, data }: BannerSettings): string => {
  // Neither user nor path: an operator's key may be in either.
  if (upstream !== undefined) return `${chainId} at ${upstream.host}`
  return `${chainId}, our own, ${data === undefined ? NOT_KEPT : `kept in ${data}`}`
}

const storeOf = ({ databaseUrl, data }: BannerSettings): string => {
  if (databaseUrl !== undefined) return `PostgreSQL at ${new URL(databaseUrl).host}`
  return `embedded, ${data === undefined ? NOT_KEPT : `kept in ${data}`}`
}

const NOT_KEPT = 'gone when the service ends (--data keeps it in a folder)'
