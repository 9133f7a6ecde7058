import { referredName, type Schema } from '../../../schema/schema.js'
import type { TryData } from './data.js'
import { element } from './element.js'
import { choice, field, PLAIN } from './field.js'
import { bodyKind } from './http-request.js'

/** The body of a request, or the params of a call: its media type, its text, and what is chosen from the disk. */
export function bodyFields(data: TryData): BodyFields {
  const bodies = data.kind === 'rpc' ? [] : data.bodies
  const types = choice(bodies.map(({ type }) => [type, type] as const))
  const text = element('textarea', { rows: '3', wrap: 'off', ...PLAIN })
  const label = element('span', {})
  const textField = field('try-body', [label], text)
  const files = element('div', { class: 'fields' })

  const grow = () => {
    const lines = text.value.split('\n').length
    text.rows = Math.min(Math.max(lines, 3), 18)
  }
  const show = () => {
    if (data.kind === 'rpc') {
      label.textContent = 'params, as JSON'
      return
    }
    const chosen = bodies.find(({ type }) => type === types.value)
    const kind = bodyKind(types.value)
    textField.hidden = chosen === undefined || kind === 'file'
    label.textContent = LABELS[kind].replace('TYPE', types.value)
    const names = chosen === undefined ? [] : filesOf(chosen.schema, kind, data)
    files.replaceChildren(...names.map((name) => fileField(name, types.value)))
  }
  types.addEventListener('input', show)
  text.addEventListener('input', grow)
  return {
    parts: [
      ...(bodies.length > 1 ? [field('try-type', 'Media type', types)] : []),
      ...(data.kind === 'rpc' || bodies.length > 0 ? [textField] : []),
      files,
    ],
    control: text,
    written: () => ({ type: bodies.length > 0 ? types.value : undefined, body: text.value }),
    files: () =>
      Object.fromEntries(
        [...files.querySelectorAll('input')].flatMap((control) => {
          const file = control.files?.[0]
          return file ? [[control.dataset.name ?? '', file]] : []
        }),
      ),
    fill: ({ type, body }) => {
      if (type !== undefined && bodies.some((one) => one.type === type)) types.value = type
      if (body !== undefined) text.value = body
      show()
      grow()
    },
  }
}

export type BodyFields = {
  readonly parts: readonly HTMLElement[]
  /** The place of its text. */
  readonly control: HTMLElement
  /** The media type is undefined where no body is sent, as with params. */
  readonly written: () => { readonly type: string | undefined; readonly body: string }
  /** What was chosen from the disk: the whole body by an empty name, or fields of a form by theirs. */
  readonly files: () => Readonly<Record<string, File>>
  /** What is left out stays as it is, and so does a media type that the operation does not take. */
  readonly fill: (filling: { readonly type?: string | undefined; readonly body?: string }) => void
}

const fileField = (name: string, type: string): HTMLElement => {
  const control = element('input', { type: 'file' })
  control.dataset.name = name
  const words = name === '' ? `Body, ${type}` : `${name}, a file`
  return field(`try-file-${name}`, words, control)
}

/** The whole body, by an empty name, or the fields of a form that are bytes. */
const filesOf = (
  schema: Schema,
  kind: ReturnType<typeof bodyKind>,
  { schemas }: TryData,
): readonly string[] => {
  if (kind === 'file') return ['']
  if (kind !== 'fields') return []
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
