import { documentedKey } from '../../../runtime/http/response.js'
import { covers, streamFormat } from '../../../runtime/shared/media-type.js'
import type { ServerEvent } from '../../../runtime/streams/event-stream.js'
import { createSplitter, itemOf } from '../../../runtime/streams/pieces.js'
import type { Checks, Verdict } from './checks.js'
import type { HttpTry } from './data.js'
import { element } from './element.js'

/** The items of a streamed answer: shown as they come, each held against the schema of an item. */
export type ItemList = {
  readonly list: HTMLElement
  readonly push: (chunk: Uint8Array) => void
  /** What the document says of all items, once the stream has ended. */
  readonly verdict: (ended: 'whole' | 'stopped' | 'broken') => Verdict
}

/** Undefined where an answer is no stream that the document declares. */
export function createItemList(
  { operation, responses }: HttpTry,
  checks: Checks,
  { ok, status, headers }: Pick<Response, 'ok' | 'status' | 'headers'>,
): ItemList | undefined {
  const key = documentedKey(operation, status) ?? ''
  const type = headers.get('content-type') ?? ''
  const format = streamFormat(type)
  const declared = Object.entries(operation.streams?.[key] ?? {})
  const [own, content] = declared.find(([one]) => covers(one, type)) ?? []
  const schema = responses[key]?.content.find((one) => one.type === own)?.schema
  if (!ok || format === undefined || content === undefined || schema === undefined) return undefined
  const splitter = createSplitter(format, '')
  const decoder = new TextDecoder()
  const list = element('ol', { class: 'items', 'aria-label': 'Items of the stream' })
  const faults: { readonly whose: string; readonly pointer: string; readonly message: string }[] =
    []
  let count = 0
  let isEnded = false
  const show = (words: string, isWrong: boolean): void => {
    if (count > MOST) return
    const sign = isWrong ? '✗ ' : ''
    list.append(element('li', {}, sign, element('code', {}, words)))
  }
  const take = (piece: ServerEvent): void => {
    isEnded ||= piece.data === content.end
    if (isEnded) return
    count += 1
    const found = faultsOf(piece)
    faults.push(...found.map((fault) => ({ ...fault, whose: `item ${count}` })))
    show(piece.data, found.length > 0)
  }
  const faultsOf = (piece: ServerEvent) => {
    try {
      return checks.faults(schema, itemOf(piece, content))
    } catch {
      return [{ pointer: '', message: 'is not JSON' }]
    }
  }
  const { name = String(status) } = responses[key] ?? {}
  return {
    list,
    push: (chunk) => splitter.push(decoder.decode(chunk, { stream: true })).forEach(take),
    verdict: (ended) => {
      if (ended === 'whole') splitter.end().forEach(take)
      const items = count === 1 ? '1 item' : `${count} items`
      const isCut = content.end !== undefined && !isEnded && ended === 'whole'
      const notes = [
        ...(ended === 'stopped' ? ['You stopped the stream.'] : []),
        ...(ended === 'broken' ? ['The connection broke off.'] : []),
        ...(isCut ? [`The stream ended without ${content.end}, which the document declares.`] : []),
        ...(count > MOST ? [`The first ${MOST} items are shown.`] : []),
      ]
      const isWrong = faults.length > 0 || isCut || ended === 'broken'
      const does = faults.length > 0 ? 'not all of which fit their schema' : 'as declared'
      return {
        tone: isWrong ? 'wrong' : 'fits',
        headline: `${name}: a stream of ${items}, ${does}.`,
        faults,
        notes,
        whole: 'the stream',
        link: { href: `#response--${key}`, words: `What the document says of ${key}` },
      }
    },
  }
}

/** Items that are shown. */
const MOST = 1_000
