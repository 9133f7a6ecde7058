import type { Schema } from '../../../model/schema.js'
import { covers, isJson } from '../../../runtime/ground/media-type.js'
import { documentedKey } from '../../../runtime/http/answer.js'
import { type Checks, parse, readText } from './checks.js'
import type { HttpTry, TryResponse } from './data.js'
import { places, type Verdict } from './verdict.js'

/** An answer by what the document says of its status and, where the request has a form, of that. */
export function httpVerdict(data: HttpTry, checks: Checks, heard: Heard): Verdict {
  const { status, form } = heard
  const key = documentedKey(data.operation, status)
  const response = key === undefined ? undefined : data.responses[key]
  if (key === undefined || response === undefined) {
    const declared = Object.keys(data.responses).join(', ') || 'no status at all'
    return bad(`The document declares no status ${status} here; it declares ${declared}.`)
  }
  const link = { href: `#response--${key}`, words: `What the document says of ${key}` }
  const name = key === String(status) ? response.name : `${status}, declared as ${response.name}`
  const headers = headerWords(response, checks, heard)
  const told = (verdict: Verdict): Verdict => ({
    ...verdict,
    tone: headers.faults.length > 0 ? 'wrong' : verdict.tone,
    faults: [...verdict.faults, ...headers.faults],
    notes: [...verdict.notes, ...headers.notes],
    link,
  })
  return told(bodyVerdict({ data, checks, heard, response, name, form: formOf(data, form) }))
}

export type Heard = {
  readonly method: string
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  /** The form of the request that was sent. */
  readonly form: string | undefined
  /** Whether the page may see every header. */
  readonly isSameOrigin: boolean
}

type Form = {
  readonly name: string
  readonly responses: readonly string[]
  readonly errors: readonly string[]
}

type Asked = {
  readonly data: HttpTry
  readonly checks: Checks
  readonly heard: Heard
  readonly response: TryResponse
  readonly name: string
  readonly form: Form | undefined
}

function bodyVerdict({ checks, heard, response, name, form }: Asked): Verdict {
  const { method, status, headers, text } = heard
  const { content, description } = response
  const isRefusal = status >= 400
  const said = isRefusal && description !== '' ? [description] : []
  const good = (headline: string): Verdict => ({
    tone: isRefusal ? 'refused' : 'fits',
    headline,
    faults: [],
    notes: said,
    whole: 'the body',
  })
  if (method === 'HEAD') return good(`${name}, as declared; an answer to HEAD has no body.`)
  if (content.length === 0)
    return text === ''
      ? good(`${name}, as declared; it has no body.`)
      : {
          ...good(`${name}, as declared.`),
          notes: ['The document describes no body here.', ...said],
        }
  const types = content.map(({ type }) => type).join(' or ')
  const type = headers.get('content-type')
  const own = content.find((one) => covers(one.type, type ?? one.type))
  if (own === undefined)
    return bad(`${name} is ${type}, and the document declares ${types} for it.`)
  if (!isJson(type ?? own.type)) return good(`${name}, ${type ?? own.type} as declared.`)
  const read = parse(text)
  if ('problem' in read)
    return bad(
      text === ''
        ? `${name} has no body, and the document declares ${types} for it.`
        : `The body of ${name} is not JSON: ${read.problem}.`,
    )
  const { value } = read
  if (form && !isRefusal) {
    const refs = (names: readonly string[]): Schema => ({
      anyOf: names.map((one) => ({ $ref: `#/components/schemas/${one}` })),
    })
    if (form.errors.length > 0 && checks.faults(refs(form.errors), value).length === 0)
      return {
        ...good(
          `An error that the document names under ${name}: ${checks.nameOf(refs(form.errors), value)}.`,
        ),
        tone: 'refused',
      }
    if (form.responses.length > 0) {
      const faults = checks.faults(refs(form.responses), value)
      const called = form.responses.length === 1 ? form.responses[0] : undefined
      if (faults.length > 0)
        return {
          ...bad(
            `Breaks what the document declares for the form ${form.name} (${called ?? form.responses.join(' or ')}) ${places(faults.length)}.`,
          ),
          faults,
        }
      const fitting = checks.nameOf(refs(form.responses), value)
      return good(`Fits the schema of ${name}: ${fitting}, as the form ${form.name} is answered.`)
    }
  }
  const called = checks.nameOf(own.schema, value)
  const whose = `${name}${called === undefined ? '' : ` (${called})`}`
  const faults = checks.faults(own.schema, value)
  if (faults.length > 0)
    return { ...bad(`Breaks the schema of ${whose} ${places(faults.length)}.`), faults }
  return good(`Fits the schema of ${whose}.`)
}

/** Headers that the document declares: those that break their schema, and those that are not there or not to be seen. */
function headerWords(
  { headers: declared }: TryResponse,
  checks: Checks,
  { headers, isSameOrigin }: Heard,
): Pick<Verdict, 'faults' | 'notes'> {
  const faults = declared.flatMap(({ name, required, schema }) => {
    const text = headers.get(name.toLowerCase())
    if (text === undefined)
      return required && isSameOrigin
        ? [{ whose: name, pointer: '', message: 'is a header that must be sent' }]
        : []
    return checks
      .faults(schema, readText(text, checks.of(schema)))
      .map(({ pointer, message }) => ({ whose: name, pointer, message }))
  })
  const unseen = declared
    .filter(({ name }) => !isSameOrigin && !headers.has(name.toLowerCase()))
    .map(({ name }) => name)
  return {
    faults,
    notes:
      unseen.length === 0
        ? []
        : [
            `Not seen: ${unseen.join(', ')}. A server shows pages of another origin only the headers that it exposes (CORS).`,
          ],
  }
}

const formOf = ({ operation }: HttpTry, name: string | undefined): Form | undefined => {
  const form = name === undefined ? undefined : operation.forms?.[name]
  return name !== undefined && form ? { name, ...form } : undefined
}

const bad = (headline: string): Verdict => ({
  tone: 'wrong',
  headline,
  faults: [],
  notes: [],
  whole: 'the body',
})
