import { isSocketUrl } from '../../model/servers.js'
import { copyOnClick } from './copy.js'
import { rpcComplaints, rpcRequest } from './try/check-rpc-response.js'
import { checksOf, type DocumentChecks } from './try/checks.js'
import type { TryData } from './try/data.js'
import { element } from './try/element.js'
import { createExchange } from './try/exchange.js'
import { httpRequest } from './try/http-request.js'
import { type InputForm, inputForm } from './try/input-form.js'
import { faultList } from './try/response-view.js'
import { type WhereForm, whereForm } from './try/where-form.js'
import { exactCommand, maskedCommand, type PreparedRequest, type RequestFault } from './try/wire.js'
import type { OpenForm } from './try-form.js'

globalThis.twinspecOpenTry = openTry

/** The form of one operation: it sends the request in it, and compares the response with the document. */
function openTry(place: HTMLElement, data: TryData): OpenForm {
  const checks = checksOf(data)
  const buttons = sendButtons()
  const preview = requestPreview()
  const exchange = createExchange(data, checks, buttons.setRunning)
  let version = 0
  let copyWords = ''
  const changed = () => {
    const own = ++version
    // The parts refer to each other, and each reports a change while it is filled, so this runs after they are all created.
    queueMicrotask(async () => {
      if (own !== version) return
      const { wire } = await prepared()
      if (own !== version) return
      preview.show(wire, where.secrets())
      copyWords = `Copy as ${toolFor(wire)}`
      buttons.curl.textContent = copyWords
    })
  }
  const where = whereForm(data, suggestedPlace(place), changed)
  const input = inputForm(data, changed)
  const prepared = () => prepare(data, checks, { where, input })
  const complaints = complaintList((field) => input.controlOf(field) ?? where.controlOf(field))

  const attempt = async (how: 'checked' | 'anyway') => {
    const { wire, complaints: wrong, variant, lost } = await prepared()
    const stops = wire === undefined || lost.length > 0
    if (stops || (how === 'checked' && wrong.length > 0)) {
      exchange.clear()
      buttons.anyway.hidden = stops
      return complaints.tell([...lost, ...wrong])
    }
    buttons.anyway.hidden = true
    complaints.tell([])
    await exchange.run(wire, variant, where.seconds())
  }
  const run = async (how: 'checked' | 'anyway') => {
    if (!exchange.isRunning()) await attempt(how).catch(exchange.fail)
  }

  const form = element(
    'form',
    { class: 'try-form', novalidate: true },
    where.part,
    input.part,
    complaints.part,
    buttons.part,
    preview.part,
    ...exchange.parts,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run('checked')
  })
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    // In an input, Enter submits the form anyway.
    if (event.target instanceof HTMLTextAreaElement) void run('checked')
  })
  buttons.anyway.addEventListener('click', () => void run('anyway'))
  buttons.stop.addEventListener('click', exchange.stop)
  copyOnClick(buttons.curl, {
    text: async () => {
      const { wire } = await prepared()
      return wire && exactCommand(wire)
    },
    select: preview.select,
    words: () => copyWords,
  })
  copyOnClick(buttons.link, {
    text: () => `${location.href.split('#')[0]}#try=${encodeURIComponent(input.written())}`,
    select: preview.select,
  })
  place.append(form)
  changed()
  return { fill: input.fill, fillFrom: input.fillFrom }
}

const suggestedPlace = (place: HTMLElement): string | undefined =>
  place.closest<HTMLElement>('[data-server]')?.dataset.server

/** The list of reasons why nothing was sent: announced to screen readers, and marked at the affected fields. */
function complaintList(controlOf: (field: string) => HTMLElement | undefined) {
  const part = element('div', { id: 'try-complaints', role: 'alert' })
  let marked: readonly HTMLElement[] = []
  return {
    part,
    /** Replaces the list; an empty list removes it. */
    tell: (complaints: readonly RequestFault[]) => {
      for (const control of marked) {
        control.removeAttribute('aria-invalid')
        control.removeAttribute('aria-errormessage')
      }
      marked = complaints.flatMap(({ field }) => controlOf(field) ?? [])
      for (const control of marked) {
        control.setAttribute('aria-invalid', 'true')
        control.setAttribute('aria-errormessage', part.id)
      }
      if (complaints.length === 0) return part.replaceChildren()
      part.replaceChildren(
        element('p', {}, element('strong', {}, 'Not sent.'), ' This does not fit the document:'),
        faultList(complaints),
      )
    },
  }
}

/** The request that the form would send now, and all validation errors. */
async function prepare(
  data: TryData,
  checks: DocumentChecks,
  { where, input }: { readonly where: WhereForm; readonly input: InputForm },
): Promise<Prepared> {
  const at = where.address()
  const base = 'url' in at ? at.url : 'https://SERVER'
  const lost: readonly RequestFault[] =
    'url' in at ? [] : [{ field: 'server', whose: '', pointer: '', message: at.wrong }]
  const entered = input.read()
  if (data.kind === 'rpc')
    return {
      wire: rpcRequest(data, base, entered.body),
      complaints: rpcComplaints(data, checks, entered.body),
      variant: undefined,
      lost,
    }
  const credentials = where.credentials()
  return { ...(await httpRequest(data, checks, base, { ...entered, credentials })), lost }
}

type Prepared = {
  readonly wire: PreparedRequest | undefined
  readonly complaints: readonly RequestFault[]
  readonly variant: string | undefined
  /** Errors in the server's address, which prevent sending. */
  readonly lost: readonly RequestFault[]
}

/** The request as a curl command, collapsed, for users who want to check it first. */
function requestPreview() {
  const code = element('code', { class: 'sh' })
  const text = element('pre', { tabindex: '0', role: 'group' }, code)
  const summary = element('summary')
  const figure = element('figure', { class: 'code' }, text)
  const part = element('details', { class: 'request' }, summary, figure)
  return {
    part,
    /** Shows the request with its secrets masked, or that it is incomplete. */
    show: (wire: PreparedRequest | undefined, secrets: readonly string[]) => {
      const title = `The request, as ${toolFor(wire)}`
      summary.textContent = title
      text.setAttribute('aria-label', title)
      code.textContent = wire
        ? maskedCommand(wire, secrets)
        : 'A parameter of the path has no value.'
    },
    /** Shows and selects a text with its secrets, for the reader to copy manually. */
    select: (text: string) => {
      part.open = true
      code.textContent = text
      getSelection()?.selectAllChildren(code)
    },
  }
}

/** curl does not speak over WebSockets. */
const toolFor = (wire: PreparedRequest | undefined): string =>
  isSocketUrl(wire?.url) ? 'wscat' : 'curl'

function sendButtons() {
  const send = button('send', 'Send', 'submit')
  const anyway = button('anyway', 'Send it anyway')
  const stop = button('stop', 'Stop')
  const curl = button('curl', 'Copy as curl')
  const link = button('link', 'Copy link')
  anyway.hidden = true
  stop.hidden = true
  return {
    part: element('p', { class: 'buttons' }, send, anyway, stop, curl, link),
    /** Hidden until an invalid request was held back that can be sent nevertheless. */
    anyway,
    stop,
    curl,
    link,
    setRunning: (is: boolean) => {
      const wasFocused = [send, anyway, stop].some((one) => one === document.activeElement)
      send.disabled = is
      stop.hidden = !is
      // Otherwise the focus would be on a hidden or disabled button.
      if (wasFocused) (is ? stop : send).focus()
    },
  }
}

const button = (name: string, words: string, type = 'button') =>
  element('button', { type, class: name }, words)
