import { isSocketUrl } from '../../../model/servers.js'
import { codecOf, holdsItems, isText } from '../../../runtime/shared/codecs.js'
import { createSplitter, itemOf, type Piece } from '../../../runtime/streams/pieces.js'
import { declaredContent } from '../../../runtime/wire/content.js'
import { declaredResponse } from '../../../runtime/wire/status.js'
import { checkHttpResponse } from './check-http-response.js'
import { checkRpcResponse } from './check-rpc-response.js'
import type { CheckResult, DocumentChecks } from './checks.js'
import type { HttpTry, TryData } from './data.js'
import { element } from './element.js'
import { checkView, createItemsView, headView, responseView } from './response-view.js'
import { type CompleteResponse, type StreamedResponse, send } from './send.js'
import { exchangeOverSocket } from './socket-exchange.js'
import { type PreparedRequest, unsendable } from './wire.js'

/** Sends requests, one at a time, and shows each response and the result of checking it. */
export function createExchange(
  data: TryData,
  checks: DocumentChecks,
  setRunning: (is: boolean) => void,
) {
  const status = element('div', { class: 'verdict', role: 'status' })
  const answered = element('div', { class: 'answered' })
  let running: AbortController | undefined
  const say = (tone: Tone | undefined, ...words: readonly (Node | string)[]) => {
    if (tone === undefined) delete status.dataset.tone
    else status.dataset.tone = tone
    status.replaceChildren(...words)
  }
  const end = () => {
    running = undefined
    setRunning(false)
  }
  return {
    parts: [status, answered],
    isRunning: () => running !== undefined,
    /** `variant` is the request variant of the body; `seconds` is how long to wait for a response. */
    run: async (
      wire: PreparedRequest,
      variant: string | undefined,
      seconds: number,
    ): Promise<void> => {
      running = new AbortController()
      setRunning(true)
      answered.replaceChildren()
      say(undefined, `Waiting for ${new URL(wire.url).host} …`)
      if (data.kind === 'rpc' && isSocketUrl(wire.url)) {
        const view = { seconds, stop: running.signal, say, answered }
        await exchangeOverSocket(data, checks, wire, view)
        return end()
      }
      let items: ReturnType<typeof createItemList>
      const open = (response: Response) => {
        items = data.kind === 'http' ? createItemList(data, checks, response) : undefined
        if (items === undefined) return undefined
        say(undefined, 'Receiving items …')
        answered.replaceChildren(items.list)
        return items.push
      }
      const outcome = await send(wire, { seconds, stop: running.signal, page: location, open })
      end()
      const dropped = droppedNotes(wire)
      if (outcome.kind === 'stream') {
        const verdict = items?.verdict(outcome.ended)
        if (verdict === undefined) return
        say(verdict.tone, ...checkView({ ...verdict, notes: [...verdict.notes, ...dropped] }))
        return answered.prepend(...headView(outcome, outcome.size))
      }
      if (outcome.kind === 'silence') {
        const lines = [outcome.message, ...dropped].map((line) => element('p', {}, line))
        return say('silence', ...lines)
      }
      const text = textOf(outcome)
      const verdict = check(data, checks, { wire, variant, answer: outcome, text })
      const notes = [...verdict.notes, ...dropped]
      say(verdict.tone, ...checkView({ ...verdict, notes }))
      answered.replaceChildren(...responseView(outcome, text))
    },
    stop: () => running?.abort(),
    /** Shows an error of the page itself. */
    fail: (error: unknown) => {
      end()
      const why = error instanceof Error ? error.message : 'it failed'
      say('silence', `The form cannot do this: ${why}. Use the command.`)
    },
    clear: () => {
      say(undefined)
      answered.replaceChildren()
    },
  }
}

type Tone = CheckResult['tone'] | 'silence'

const droppedNotes = (wire: PreparedRequest): readonly string[] => {
  const dropped = unsendable(wire)
  if (dropped.length === 0) return []
  return [
    `Browsers do not let a page set ${dropped.join(', ')}: it was not sent. The curl command has it.`,
  ]
}

/** The body as text, if it is or may be text; undefined for binary content. */
const textOf = ({ headers, bytes }: CompleteResponse): string | undefined => {
  const type = headers.find(([name]) => name === 'content-type')?.[1]
  const isReadable = type === undefined || isText(codecOf(type))
  return isReadable ? new TextDecoder().decode(bytes) : undefined
}

const check = (data: TryData, checks: DocumentChecks, received: Received): CheckResult => {
  const { wire, variant, answer, text = '' } = received
  const { status, headers } = answer
  if (data.kind === 'rpc') return checkRpcResponse(data, checks, { status, text })
  return checkHttpResponse(data, checks, {
    method: wire.method,
    status,
    headers: new Map(headers),
    text,
    variant,
    isSameOrigin: new URL(wire.url).origin === location.origin,
  })
}

type Received = {
  readonly wire: PreparedRequest
  readonly variant: string | undefined
  readonly answer: CompleteResponse
  readonly text: string | undefined
}

/** Shows the items of a streamed response as they arrive, and validates each. Undefined if the response is no declared stream. */
function createItemList(
  { operation, responses }: HttpTry,
  checks: DocumentChecks,
  { ok, status, headers }: Pick<Response, 'ok' | 'status' | 'headers'>,
) {
  const declared = declaredResponse(operation.responses, status)
  const type = headers.get('content-type') ?? ''
  const own = declaredContent(declared?.content ?? [], type)
  const { codec: format, stream: content } = own ?? {}
  const described = responses[declared?.status ?? '']?.content
  const schema = described?.find((one) => one.type === own?.type)?.schema
  if (!ok || content === undefined || schema === undefined) return undefined
  if (format === undefined || !holdsItems(format)) return undefined
  const splitter = createSplitter(format, '')
  const decoder = new TextDecoder()
  const view = createItemsView('Items of the stream')
  const { faults } = view
  let isEnded = false
  const take = (piece: Piece): void => {
    isEnded ||= piece.data === content.end
    if (!isEnded) view.add(piece.data, faultsOf(piece))
  }
  const faultsOf = (piece: Piece) => {
    try {
      return checks.faults(schema, itemOf(piece, content))
    } catch {
      return [{ pointer: '', message: piece.isCutOff ? 'is cut off' : 'is not JSON' }]
    }
  }
  const { name = String(status) } = responses[declared?.status ?? ''] ?? {}
  return {
    list: view.list,
    push: (chunk: Uint8Array) =>
      splitter.push(decoder.decode(chunk, { stream: true })).forEach(take),
    /** The result for all items, once the stream has ended. */
    verdict: (ended: StreamedResponse['ended']): CheckResult => {
      if (ended === 'whole') splitter.end().forEach(take)
      const isCut = content.end !== undefined && !isEnded && ended === 'whole'
      const notes = [
        ...(ended === 'stopped' ? ['You stopped the stream.'] : []),
        ...(ended === 'broken' ? ['The connection was lost.'] : []),
        ...(isCut ? [`The stream ended without ${content.end}, which the document declares.`] : []),
        ...view.notes(),
      ]
      const isWrong = faults.length > 0 || isCut || ended === 'broken'
      return {
        tone: isWrong ? 'wrong' : 'fits',
        headline: `${name}: a stream of ${view.words()}.`,
        faults,
        notes,
        whole: 'the stream',
        link: {
          href: `#response--${declared?.status}`,
          words: `The documented response ${declared?.status}`,
        },
      }
    },
  }
}
