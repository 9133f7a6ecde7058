import type { Schema } from '../../../model/schema.js'
import { referredName } from '../../../model/schema.js'
import type { TryData } from './data.js'
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
  const bodies = data.kind === 'rpc' ? [] : data.bodies
  const types = choice(bodies.map(({ type }) => [type, type] as const))
  const body = element('textarea', { rows: '3', wrap: 'off', ...PLAIN })
  const label = element('span', {})
  const bodyField = field('try-body', [label], body)
  const filesPart = element('div', { class: 'fields' })
  const files = () => [...filesPart.querySelectorAll('input')]

  const grow = () => {
    const lines = body.value.split('\n').length
    body.rows = Math.min(Math.max(lines, 3), 18)
  }
  const showBody = () => {
    if (data.kind === 'rpc') {
      label.textContent = 'params, as JSON'
      filesPart.replaceChildren()
      return
    }
    const chosen = bodies.find(({ type }) => type === types.value)
    const kind = bodyKind(types.value)
    bodyField.hidden = chosen === undefined || kind === 'file'
    label.textContent = LABELS[kind].replace('TYPE', types.value)
    const names =
      chosen === undefined || kind === 'json' || kind === 'text'
        ? []
        : kind === 'file'
          ? ['']
          : filesOf(chosen.schema, data)
    filesPart.replaceChildren(
      ...names.map((name) => {
        const control = element('input', { type: 'file' })
        control.dataset.name = name
        return field(
          `try-file-${name}`,
          name === '' ? `Body, ${types.value}` : `${name}, a file`,
          control,
        )
      }),
    )
  }
  const textOf = (value: unknown): string =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const fill = (at: number) => {
    const example = data.examples[at]
    if (example) examples.value = String(at)
    if (data.kind === 'rpc') {
      const usual = data.list === undefined ? {} : []
      const params = data.examples[at]?.params ?? usual
      body.value = JSON.stringify(params, null, 2)
    } else {
      const from = data.examples[at]
      for (const [key, control] of controls) {
        const value = from?.parameters[key]
        control.value = value === undefined ? '' : textOf(value)
      }
      if (from?.type !== undefined) types.value = from.type
      const isText = typeof from?.body === 'string' && bodyKind(types.value) === 'text'
      body.value =
        from?.body === undefined
          ? ''
          : isText
            ? String(from.body)
            : JSON.stringify(from.body, null, 2)
    }
    showBody()
    grow()
    changed()
  }
  const given = () => ({
    parameters: Object.fromEntries([...controls].map(([key, { value }]) => [key, value])),
    type: bodies.length > 0 ? types.value : undefined,
    body: body.value,
  })

  examples.addEventListener('input', () => fill(Number(examples.value)))
  types.addEventListener('input', () => {
    showBody()
    changed()
  })
  const part = element(
    'fieldset',
    { class: 'what' },
    element('legend', {}, 'What is sent'),
    data.examples.length > 0 ? field('try-example', 'From the example', examples) : undefined,
    parameters.length > 0
      ? element(
          'div',
          { class: 'fields' },
          ...parameters.map(({ key, name, place, required }) => {
            const control = controls.get(key) ?? element('input')
            const hint = `${PLACES[place]}${required ? ', required' : ''}`
            return field(
              `try-${key.replace(/[^\w-]+/g, '-')}`,
              [element('code', {}, name)],
              control,
              hint,
            )
          }),
        )
      : undefined,
    bodies.length > 1 ? field('try-type', 'Media type', types) : undefined,
    data.kind === 'rpc' || bodies.length > 0 ? bodyField : undefined,
    filesPart,
  )
  part.addEventListener('input', () => {
    grow()
    changed()
  })
  fill(0)
  return {
    part,
    fill,
    given: () => ({
      ...given(),
      files: Object.fromEntries(
        files().flatMap((control) => {
          const file = control.files?.[0]
          return file ? [[control.dataset.name ?? '', file]] : []
        }),
      ),
    }),
    written: () => JSON.stringify(given()),
    fillFrom: (text) => {
      const read = readLink(text)
      for (const [key, control] of controls) control.value = read.parameters?.[key] ?? control.value
      if (bodies.some(({ type }) => type === read.type)) types.value = read.type ?? ''
      body.value = read.body ?? body.value
      showBody()
      grow()
      changed()
    },
    controlOf: (of) => (of === 'body' ? body : controls.get(of)),
  }
}

export type InputForm = {
  readonly part: HTMLElement
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

/** The fields of a form that are bytes. */
const filesOf = (schema: Schema, { schemas }: TryData): readonly string[] => {
  const name = referredName(schema)
  const target = name === undefined ? schema : schemas[name]
  const properties = (typeof target === 'object' ? target.properties : undefined) ?? {}
  return Object.keys(properties).filter((key) => isBinary(properties[key]))
}

const isBinary = (schema: Schema | undefined): boolean =>
  typeof schema === 'object' && schema.format === 'binary'

const LABELS = {
  json: 'Body, TYPE',
  fields: 'Body, TYPE, its fields as a JSON object',
  text: 'Body, TYPE',
  file: 'Body, TYPE',
}

const PLACES = {
  path: 'in the path',
  query: 'in the query',
  header: 'a header',
  cookie: 'a cookie',
}
