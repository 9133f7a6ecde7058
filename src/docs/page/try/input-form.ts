import { bodyFields } from './body-fields.js'
import type { HttpExample, TryData, TryParameter } from './data.js'
import { element } from './element.js'
import { choice, field, PLAIN } from './field.js'
import { bodyKind } from './http-request.js'

/** What is sent: filled in from an example, and changed at will. */
export function inputForm(data: TryData, changed: () => void): InputForm {
  const examples = choice(
    data.examples.map(({ name, summary }, at) => [String(at), summary ?? name] as const),
  )
  const parameters = data.kind === 'rpc' ? [] : data.parameters
  const controls = new Map(
    parameters.map(({ key }) => [key, element('input', { type: 'text', ...PLAIN })] as const),
  )
  const body = bodyFields(data)
  const fill = (at: number) => {
    if (data.examples[at]) examples.value = String(at)
    if (data.kind === 'rpc') {
      const params = data.examples[at]?.params ?? (data.list === undefined ? {} : [])
      body.fill({ body: JSON.stringify(params, null, 2) })
    } else {
      const example = data.examples[at]
      for (const [key, control] of controls) control.value = textOf(example?.parameters[key])
      const type = example?.type ?? body.written().type
      body.fill({ type, body: bodyText(example, type) })
    }
    changed()
  }
  const written = () => ({
    parameters: Object.fromEntries([...controls].map(([key, { value }]) => [key, value])),
    ...body.written(),
  })

  examples.addEventListener('input', () => fill(Number(examples.value)))
  const rows = parameters.flatMap((one) => {
    const control = controls.get(one.key)
    return control ? [parameterField(one, control)] : []
  })
  const part = element(
    'fieldset',
    { class: 'what' },
    element('legend', {}, 'What is sent'),
    data.examples.length > 0 ? field('try-example', 'From the example', examples) : undefined,
    rows.length > 0 ? element('div', { class: 'fields' }, ...rows) : undefined,
    ...body.parts,
  )
  part.addEventListener('input', changed)
  fill(0)
  return {
    part,
    fill,
    given: () => ({ ...written(), files: body.files() }),
    written: () => JSON.stringify(written()),
    fillFrom: (text) => {
      const { parameters: values = {}, ...rest } = readLink(text)
      for (const [key, control] of controls) control.value = values[key] ?? control.value
      body.fill(rest)
      changed()
    },
    controlOf: (of) => (of === 'body' ? body.control : controls.get(of)),
  }
}

export type InputForm = {
  readonly part: HTMLElement
  /** By an example's place in the list. */
  readonly fill: (at: number) => void
  readonly given: () => Written & { readonly files: Readonly<Record<string, File>> }
  /** What a link holds: all that is no secret and no file. */
  readonly written: () => string
  readonly fillFrom: (text: string) => void
  readonly controlOf: (field: string) => HTMLElement | undefined
}

type Written = {
  readonly parameters: Readonly<Record<string, string>>
  readonly type: string | undefined
  readonly body: string
}

const parameterField = (
  { key, name, place, required }: TryParameter,
  control: HTMLInputElement,
): HTMLElement => {
  const id = `try-${key.replace(/[^\w-]+/g, '-')}`
  const hint = `${PLACES[place]}${required ? ', required' : ''}`
  return field(id, [element('code', {}, name)], control, hint)
}

const PLACES = {
  path: 'in the path',
  query: 'in the query',
  header: 'a header',
  cookie: 'a cookie',
}

/** Nothing where there is no value. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** The body of an example as its media type has it. */
const bodyText = (example: HttpExample | undefined, type: string | undefined): string => {
  const { body } = example ?? {}
  if (body === undefined) return ''
  const isText = typeof body === 'string' && type !== undefined && bodyKind(type) === 'text'
  return isText ? body : JSON.stringify(body, null, 2)
}

/** A link is written by anybody: what is no text in it is left out. */
const readLink = (text: string): Partial<Written> => {
  try {
    const read = JSON.parse(decodeURIComponent(text))
    const isText = (one: unknown): one is string => typeof one === 'string'
    return {
      parameters: Object.fromEntries(
        Object.entries(read.parameters ?? {}).filter((one): one is [string, string] =>
          isText(one[1]),
        ),
      ),
      ...(isText(read.type) && { type: read.type }),
      ...(isText(read.body) && { body: read.body }),
    }
  } catch {
    return {}
  }
}
