import { isJson, isText } from '../../runtime/ground/media-type.js'
import { answerView, verdictView } from './try/answer-view.js'
import { checksOf } from './try/checks.js'
import type { TryData } from './try/data.js'
import { element } from './try/element.js'
import { exactCurl } from './try/exact-curl.js'
import { faultList } from './try/fault-list.js'
import { httpRequest } from './try/http-request.js'
import { httpVerdict } from './try/http-verdict.js'
import { inputForm } from './try/input-form.js'
import { rpcComplaints, rpcRequest } from './try/rpc-request.js'
import { rpcVerdict } from './try/rpc-verdict.js'
import { type Answer, send } from './try/send.js'
import type { Verdict } from './try/verdict.js'
import { whereForm } from './try/where-form.js'
import { type Complaint, unsendable, type Wire } from './try/wire.js'
import type { Opened } from './try-door.js'

globalThis.twinspecOpenTry = openTry

/** The form of one operation: it sends what stands in it, and says what the document makes of the answer. */
function openTry(place: HTMLElement, data: TryData): Opened {
  const checks = checksOf(data)
  const button = (name: string, words: string, type = 'button') =>
    element('button', { type, class: name }, words)
  const sendButton = button('send', 'Send', 'submit')
  const anyway = button('anyway', 'Send it anyway')
  const stopButton = button('stop', 'Stop')
  const curlButton = button('curl', 'Copy as curl')
  const linkButton = button('link', 'Copy link')
  const complaints = element('div', { id: 'try-complaints', role: 'alert' })
  const status = element('div', { class: 'verdict', role: 'status' })
  const answerPart = element('div', { class: 'answered' })
  const preview = element('code', { class: 'sh' })
  const previewPart = element(
    'details',
    { class: 'request' },
    element('summary', {}, 'The request, as curl'),
    element(
      'figure',
      { class: 'code' },
      element(
        'pre',
        { tabindex: '0', role: 'group', 'aria-label': 'The request, as curl' },
        preview,
      ),
    ),
  )
  let running: AbortController | undefined
  let version = 0

  const prepare = async (): Promise<Prepared> => {
    const at = where.address()
    const base = 'url' in at ? at.url : 'https://SERVER'
    const lost: readonly Complaint[] =
      'url' in at ? [] : [{ field: 'server', whose: '', pointer: '', message: at.wrong }]
    const given = input.given()
    if (data.kind === 'rpc')
      return {
        wire: rpcRequest(data, base, given.body),
        complaints: rpcComplaints(data, checks, given.body),
        form: undefined,
        lost,
      }
    const credentials = where.credentials()
    return { ...(await httpRequest(data, checks, base, { ...given, credentials })), lost }
  }
  const changed = () => {
    const own = ++version
    // The parts are made one after the other, and each says so as it is filled.
    queueMicrotask(async () => {
      if (own !== version) return
      const { wire } = await prepare()
      if (own === version)
        preview.textContent = wire
          ? masked(exactCurl(wire))
          : 'What has to stand in the path is missing.'
    })
  }
  const where = whereForm(data, placeOf(place), changed)
  const input = inputForm(data, changed)
  const masked = (text: string) =>
    where
      .secrets()
      .flatMap((secret) => [secret, encodeURIComponent(secret)])
      .reduce((shown, secret) => shown.replaceAll(secret, '•••'), text)
      // A user and a password are written together, and look like neither.
      .replace(/(-H 'authorization: \w+ )[^']*/i, '$1•••')

  const complain = (all: readonly Complaint[], canSend: boolean) => {
    for (const one of place.querySelectorAll('[aria-invalid]')) {
      one.removeAttribute('aria-invalid')
      one.removeAttribute('aria-errormessage')
    }
    for (const { field } of all) {
      const control = input.controlOf(field) ?? where.controlOf(field)
      control?.setAttribute('aria-invalid', 'true')
      control?.setAttribute('aria-errormessage', complaints.id)
    }
    anyway.hidden = !canSend
    if (all.length === 0) return complaints.replaceChildren()
    complaints.replaceChildren(
      element('p', {}, element('strong', {}, 'Not sent.'), ' This does not fit the document:'),
      faultList(all),
    )
  }
  const run = async (how: 'checked' | 'anyway') => {
    if (running) return
    try {
      await attempt(how)
    } catch (error) {
      running = undefined
      setRunning(false)
      status.dataset.tone = 'silence'
      status.textContent = `The form cannot do this: ${error instanceof Error ? error.message : 'it failed'}. The line of curl can.`
    }
  }
  const attempt = async (how: 'checked' | 'anyway') => {
    const { wire, complaints: wrong, form, lost } = await prepare()
    const stops = wire === undefined || lost.length > 0
    if (stops || (how === 'checked' && wrong.length > 0)) {
      status.replaceChildren()
      delete status.dataset.tone
      answerPart.replaceChildren()
      return complain([...lost, ...wrong], !stops)
    }
    complain([], false)
    await exchange(wire, form)
  }
  const exchange = async (wire: Wire, form: string | undefined) => {
    running = new AbortController()
    setRunning(true)
    answerPart.replaceChildren()
    delete status.dataset.tone
    status.textContent = `Waiting for ${new URL(wire.url).host} …`
    const outcome = await send(wire, {
      seconds: where.seconds(),
      stop: running.signal,
      page: location,
    })
    running = undefined
    setRunning(false)
    const dropped = unsendable(wire)
    const notes =
      dropped.length === 0
        ? []
        : [
            `No page may set ${dropped.join(', ')}: it was not sent, and the line of curl carries it.`,
          ]
    if (outcome.kind === 'silence') {
      status.dataset.tone = 'silence'
      status.replaceChildren(...[outcome.message, ...notes].map((one) => element('p', {}, one)))
      return
    }
    const text = textOf(outcome)
    const verdict = judge(data, checks, { wire, form, answer: outcome, text })
    status.dataset.tone = verdict.tone
    status.replaceChildren(...verdictView({ ...verdict, notes: [...verdict.notes, ...notes] }))
    answerPart.replaceChildren(...answerView(outcome, text))
  }
  const setRunning = (is: boolean) => {
    const wasFocused = [sendButton, anyway, stopButton].some(
      (one) => one === document.activeElement,
    )
    sendButton.disabled = is
    stopButton.hidden = !is
    // What is hidden or disabled would leave the keyboard nowhere.
    if (wasFocused) (is ? stopButton : sendButton).focus()
  }
  const copy = async (from: HTMLButtonElement, text: string) => {
    const words = from.textContent
    try {
      await navigator.clipboard.writeText(text)
      from.textContent = 'Copied'
    } catch {
      previewPart.open = true
      preview.textContent = text
      getSelection()?.selectAllChildren(preview)
      from.textContent = 'Press Ctrl+C'
    }
    setTimeout(() => {
      from.textContent = words
    }, 2000)
  }

  const form = element(
    'form',
    { class: 'try-form', novalidate: true },
    where.part,
    input.part,
    complaints,
    element('p', { class: 'buttons' }, sendButton, anyway, stopButton, curlButton, linkButton),
    previewPart,
    status,
    answerPart,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run('checked')
  })
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    // In a field, Enter sends by itself.
    if (event.target instanceof HTMLTextAreaElement) void run('checked')
  })
  anyway.addEventListener('click', () => void run('anyway'))
  stopButton.addEventListener('click', () => running?.abort())
  curlButton.addEventListener('click', async () => {
    const { wire } = await prepare()
    if (wire) await copy(curlButton, exactCurl(wire))
  })
  linkButton.addEventListener('click', () => {
    const [page] = location.href.split('#')
    void copy(linkButton, `${page}#try=${encodeURIComponent(input.written())}`)
  })
  anyway.hidden = true
  stopButton.hidden = true
  place.append(form)
  changed()
  return { fill: input.fill, fillFrom: input.fillFrom }
}

type Prepared = {
  /** Undefined where nothing can be sent. */
  readonly wire: Wire | undefined
  readonly complaints: readonly Complaint[]
  readonly form: string | undefined
  /** What is wrong with the server, which nothing can be sent to. */
  readonly lost: readonly Complaint[]
}

/** The server that the site itself suggests. */
const placeOf = (place: HTMLElement): string | undefined =>
  place.closest<HTMLElement>('[data-server]')?.dataset.server

/** A body that is text, or may be; undefined where it is bytes. */
const textOf = ({ headers, bytes }: Answer): string | undefined => {
  const type = headers.find(([name]) => name === 'content-type')?.[1]
  const isReadable = type === undefined || isJson(type) || isText(type)
  return isReadable ? new TextDecoder().decode(bytes) : undefined
}

const judge = (data: TryData, checks: ReturnType<typeof checksOf>, heard: Heard): Verdict => {
  const { wire, form, answer, text = '' } = heard
  const { status, headers } = answer
  if (data.kind === 'rpc') return rpcVerdict(data, checks, { status, text })
  return httpVerdict(data, checks, {
    method: wire.method,
    status,
    headers: new Map(headers),
    text,
    form,
    isSameOrigin: new URL(wire.url).origin === location.origin,
  })
}

type Heard = {
  readonly wire: Wire
  readonly form: string | undefined
  readonly answer: Answer
  readonly text: string | undefined
}
