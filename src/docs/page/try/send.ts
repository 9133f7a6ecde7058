import type { PreparedRequest } from './wire.js'

/**
 * Sends a request and reads the complete response. A failure is described in one sentence, because a browser does not reveal
 * whether the server is unreachable or CORS blocks the page.
 */
export async function send(
  wire: PreparedRequest,
  how: SendSettings,
): Promise<CompleteResponse | StreamedResponse | NoResponse> {
  const { method, url, headers, body } = wire
  const { fetch = globalThis.fetch, now = () => performance.now(), seconds, stop } = how
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort('late'), seconds * 1000)
  const end = () => controller.abort('stopped')
  stop.addEventListener('abort', end)
  const began = now()
  let status: number | undefined
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: controller.signal,
      // Sends only what the reader sees: no cookies and no referrer.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    })
    status = response.status
    const head = () => ({
      status: response.status,
      headers: [...response.headers],
      milliseconds: now() - began,
      movedTo: response.redirected ? response.url : undefined,
    })
    const push = how.open?.(response)
    if (push !== undefined) {
      clearTimeout(timer)
      const read = await readStream(response, push, stop)
      return { kind: 'stream', ...head(), ...read }
    }
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { kind: 'answer', ...head(), bytes }
  } catch (error) {
    const ended = controller.signal.aborted ? controller.signal.reason : undefined
    return { kind: 'silence', message: sentence(wire, how, ended, status, error) }
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', end)
  }
}

export type SendSettings = {
  /** How long to wait for a response. */
  readonly seconds: number
  readonly stop: AbortSignal
  /** Returns the consumer for the chunks of a streamed response; undefined for other responses. */
  readonly open?: (response: Response) => ((chunk: Uint8Array) => void) | undefined
  /** The address of the page; its protocol and origin decide what it may read. */
  readonly page: { readonly protocol: string; readonly origin: string }
  readonly fetch?: typeof fetch
  /** Milliseconds. */
  readonly now?: () => number
}

export type CompleteResponse = {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly milliseconds: number
  readonly movedTo: string | undefined
}

/** A streamed response, whose items have been shown. */
export type StreamedResponse = Omit<CompleteResponse, 'kind' | 'bytes'> & {
  readonly kind: 'stream'
  /** Bytes. */
  readonly size: number
  readonly ended: 'whole' | 'stopped' | 'broken'
}

async function readStream(
  response: Response,
  push: (chunk: Uint8Array) => void,
  stop: AbortSignal,
): Promise<Pick<StreamedResponse, 'size' | 'ended'>> {
  let size = 0
  const reader = response.body?.getReader()
  try {
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
      size += step.value.byteLength
      push(step.value)
    }
    return { size, ended: 'whole' }
  } catch {
    void reader?.cancel().catch(() => undefined)
    return { size, ended: stop.aborted ? 'stopped' : 'broken' }
  }
}

export type NoResponse = { readonly kind: 'silence'; readonly message: string }

function sentence(
  { method, url, body }: PreparedRequest,
  { seconds, page }: SendSettings,
  ended: unknown,
  status: number | undefined,
  error: unknown,
): string {
  const host = hostOf(url)
  if (ended === 'stopped') return 'You stopped the request: the server may have processed it.'
  if (ended === 'late')
    return `${host} sent no complete response within ${seconds} s: the server may have processed the request.`
  if (status !== undefined)
    return `The response of ${host} (HTTP ${status}) ended before its body was complete.`
  if (body !== undefined && (method === 'GET' || method === 'HEAD'))
    return `Browsers send no body with ${method}: use the curl command.`
  if (/^(TRACE|CONNECT|TRACK)$/.test(method))
    return `Browsers do not let a page send ${method}: use the curl command.`
  if (page.protocol === 'https:' && url.startsWith('http:') && !isLoopback(host))
    return `A page loaded over https may not call ${host} over http: open the site over http or from the disk, or use the curl command.`
  // The browser reports an invalid request with a different message.
  if (error instanceof TypeError && /header|method|URL|url|credentials/.test(error.message))
    return `The browser cannot send this request: ${error.message}.`
  const who = page.protocol === 'file:' ? 'pages opened from a disk' : page.origin
  return `No response from ${host}: no server is running there, or it does not let ${who} read its responses (CORS). Try the curl command.`
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/.test(host)
