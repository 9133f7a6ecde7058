import { copyOnClick } from './copy.js'
import { checksOf } from './try/checks.js'
import { complaintList } from './try/complaint-list.js'
import type { TryData } from './try/data.js'
import { element } from './try/element.js'
import { exactCurl } from './try/exact-curl.js'
import { createExchange } from './try/exchange.js'
import { inputForm } from './try/input-form.js'
import { prepare } from './try/prepare.js'
import { requestPreview } from './try/preview.js'
import { sendButtons } from './try/send-buttons.js'
import { whereForm } from './try/where-form.js'
import type { Opened } from './try-form.js'

globalThis.twinspecOpenTry = openTry

/** The form of one operation: it sends what stands in it, and says what the document makes of the answer. */
function openTry(place: HTMLElement, data: TryData): Opened {
  const checks = checksOf(data)
  const buttons = sendButtons()
  const preview = requestPreview()
  const exchange = createExchange(data, checks, buttons.setRunning)
  let version = 0
  const changed = () => {
    const own = ++version
    // The parts are made one after the other, and each says so as it is filled.
    queueMicrotask(async () => {
      if (own !== version) return
      const { wire } = await prepared()
      if (own === version) preview.show(wire, where.secrets())
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
    // In a field, Enter sends by itself.
    if (event.target instanceof HTMLTextAreaElement) void run('checked')
  })
  buttons.anyway.addEventListener('click', () => void run('anyway'))
  buttons.stop.addEventListener('click', exchange.stop)
  copyOnClick(buttons.curl, {
    text: async () => {
      const { wire } = await prepared()
      return wire && exactCurl(wire)
    },
    select: preview.select,
  })
  copyOnClick(buttons.link, {
    text: () => `${location.href.split('#')[0]}#try=${encodeURIComponent(input.written())}`,
    select: preview.select,
  })
  place.append(form)
  changed()
  return { fill: input.fill, fillFrom: input.fillFrom }
}

/** The server that the site itself suggests. */
const suggestedPlace = (place: HTMLElement): string | undefined =>
  place.closest<HTMLElement>('[data-server]')?.dataset.server
