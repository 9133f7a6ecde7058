import { dereference, referredName, type Schema, type Schemas } from '../../../schema/schema.js'
import type { HttpExample, TryData, TryParameter } from './data.js'
import { choice, element, field, PLAIN } from './element.js'
import { bodyKind } from './http-request.js'
import { enumeratedValues, textOfMembers, valueField, valueMembers } from './value-fields.js'

/** The form for the request data, filled from an example and editable. */
export function inputForm(data: TryData, changed: () => void): InputForm {
  const examples = choice(
    data.examples.map(({ name, summary }, at) => [String(at), summary ?? name] as const),
  )
  const parameters = data.kind === 'rpc' ? [] : data.parameters
  const controls = new Map(
    parameters.map((one) => [one.key, parameterControl(one, schemasOf(data))] as const),
  )
  const body = bodyFields(data)
  const fill = (at: number) => {
    if (data.examples[at]) examples.value = String(at)
    if (data.kind === 'rpc') {
      const { params = data.list === undefined ? {} : [], text } = data.examples[at] ?? {}
      body.fill({ body: text ?? JSON.stringify(params, null, 2) })
    } else {
      const example = data.examples[at]
      for (const [key, control] of controls) control.value = textOf(example?.parameters[key])
      const type = example?.type ?? body.written().type
      body.fill({
        type,
        body: bodyText(example, type === undefined ? undefined : bodyKind(type, data)),
      })
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
    read: () => ({ ...written(), files: body.files() }),
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
  /** Fills the form from the example with this index. */
  readonly fill: (at: number) => void
  readonly read: () => Written & { readonly files: Readonly<Record<string, File>> }
  /** The values for a link: everything but secrets and files. */
  readonly written: () => string
  readonly fillFrom: (text: string) => void
  readonly controlOf: (field: string) => HTMLElement | undefined
}

type Written = {
  readonly parameters: Readonly<Record<string, string>>
  readonly type: string | undefined
  readonly body: string
}

const schemasOf = ({ schemas }: TryData): Schemas =>
  new Map(Object.entries(schemas).map(([name, schema]) => [name, { schema }]))

/** A select for enumerated values, otherwise an input; JSON strings are shown without quotes. */
const parameterControl = ({ schema, hint }: TryParameter, schemas: Schemas) => {
  const values = enumeratedValues(schema, schemas)?.map((json) => textOf(JSON.parse(json)))
  return values === undefined
    ? element('input', { type: 'text', placeholder: hint, ...PLAIN })
    : choice([['', '(none)'], ...values.map((value) => [value, value] as const)])
}

/** A field for each param, or for each property of an object body. The fields and the JSON text are kept in sync. */
function memberFields(schema: Schema | undefined, text: HTMLTextAreaElement, data: TryData) {
  const schemas = schemasOf(data)
  const isList = data.kind === 'rpc' && data.list !== undefined
  const own = schema === undefined ? true : dereference(schema, schemas)
  const named = Object.entries((typeof own === 'object' && own.properties) || {})
  const params = data.kind === 'rpc' ? data.operation.params : undefined
  const items = (typeof own === 'object' && own.prefixItems) || []
  const rows =
    params && isList ? params.map(({ name }, at) => [name, items[at] ?? true] as const) : named
  const part = element('div', { class: 'fields' })
  const fields = rows
    .filter(([, one]) => !isFile(one))
    .slice(0, MOST_FIELDS)
    .map(([name, one], at) => ({
      name,
      key: isList ? String(at) : name,
      field: valueField(one, schemas),
    }))
  const read = () => valueMembers(text.value.trim() === '' ? (isList ? '[]' : '{}') : text.value)
  for (const { name, key, field: own } of fields) {
    part.append(
      field(`try-value-${key}`.replace(/[^\w-]+/g, '-'), [element('code', {}, name)], own.control),
    )
    own.control.addEventListener('input', () => {
      const before = read()
      if (before === undefined) return
      const members = new Map(before.members)
      const json = own.read()
      if (json === undefined) members.delete(key)
      else members.set(key, json)
      text.value = textOfMembers({ ...before, members })
    })
  }
  return {
    part,
    fill: () => {
      const members = read()
      part.hidden = members === undefined || members.isList !== isList
      if (part.hidden) return
      for (const { key, field: own } of fields) own.write(members?.members.get(key))
    },
  }
}

/** A larger form would be unusable. */
const MOST_FIELDS = 40

const parameterField = (
  { key, name, place, required }: TryParameter,
  control: HTMLInputElement | HTMLSelectElement,
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

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

const bodyText = (
  example: HttpExample | undefined,
  kind: ReturnType<typeof bodyKind> | undefined,
): string => {
  const { body, text } = example ?? {}
  if (text !== undefined) return text
  if (body === undefined) return ''
  return typeof body === 'string' && kind === 'text' ? body : JSON.stringify(body, null, 2)
}

/** Links are untrusted: values that are not strings are ignored. */
const readLink = (text: string): Partial<Written> => {
  try {
    const read = JSON.parse(decodeURIComponent(text))
    const isText = (one: unknown): one is string => typeof one === 'string'
    return {
      parameters: Object.fromEntries(
        Object.entries<unknown>(read.parameters ?? {}).flatMap(([key, value]) =>
          isText(value) ? [[key, value]] : [],
        ),
      ),
      ...(isText(read.type) && { type: read.type }),
      ...(isText(read.body) && { body: read.body }),
    }
  } catch {
    return {}
  }
}

/** The fields for the body of a request, or the params of a call: media type, text, and files. */
function bodyFields(data: TryData) {
  const bodies = data.kind === 'rpc' ? [] : data.bodies
  const types = choice(bodies.map(({ type }) => [type, type] as const))
  const text = element('textarea', { rows: '3', wrap: 'off', ...PLAIN })
  const label = element('span', {})
  const textField = field('try-body', [label], text)
  const files = element('div', { class: 'fields' })
  const values = element('div')
  let members: ReturnType<typeof memberFields> | undefined

  const grow = () => {
    const lines = text.value.split('\n').length
    text.rows = Math.min(Math.max(lines, 3), 18)
  }
  const show = () => {
    if (data.kind === 'rpc') {
      label.textContent = 'params, as JSON'
      members ??= memberFields(data.list ?? data.object, text, data)
      values.replaceChildren(members.part)
      return
    }
    const chosen = bodies.find(({ type }) => type === types.value)
    const kind = bodyKind(types.value, data)
    textField.hidden = chosen === undefined || kind === 'file'
    label.textContent = LABELS[kind].replace('TYPE', types.value)
    const names = chosen === undefined ? [] : filesOf(chosen.schema, kind, data)
    const hasMembers = kind === 'json' || kind === 'fields'
    members = chosen && hasMembers ? memberFields(chosen.schema, text, data) : undefined
    values.replaceChildren(...(members ? [members.part] : []))
    files.replaceChildren(...names.map((name) => fileField(name, types.value)))
  }
  types.addEventListener('input', () => {
    show()
    members?.fill()
  })
  text.addEventListener('input', () => {
    grow()
    members?.fill()
  })
  values.addEventListener('input', grow)
  return {
    parts: [
      ...(bodies.length > 1 ? [field('try-type', 'Media type', types)] : []),
      values,
      ...(data.kind === 'rpc' || bodies.length > 0 ? [textField] : []),
      files,
    ],
    /** The text field of the body. */
    control: text,
    /** The media type is undefined if no body is sent, as with params. */
    written: () => ({ type: bodies.length > 0 ? types.value : undefined, body: text.value }),
    /** The chosen files: the whole body under an empty name, or fields of a form by their names. */
    files: () =>
      Object.fromEntries(
        [...files.querySelectorAll('input')].flatMap((control) => {
          const file = control.files?.[0]
          return file ? [[control.dataset.name ?? '', file]] : []
        }),
      ),
    /** Undefined members, and media types that the operation does not accept, are left unchanged. */
    fill: ({ type, body }: { readonly type?: string | undefined; readonly body?: string }) => {
      if (type !== undefined && bodies.some((one) => one.type === type)) types.value = type
      if (body !== undefined) text.value = body
      show()
      members?.fill()
      grow()
    },
  }
}

const fileField = (name: string, type: string): HTMLElement => {
  const control = element('input', { type: 'file' })
  control.dataset.name = name
  const words = name === '' ? `Body, ${type}` : `${name}, a file`
  return field(`try-file-${name}`, words, control)
}

/** The names of file fields: empty for the whole body, or the binary fields of a form. */
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
  return Object.keys(properties).filter((key) => isFile(properties[key]))
}

/** For a list of files, one can be chosen. */
const isFile = (schema: Schema | undefined): boolean =>
  isBinary(schema) || (typeof schema === 'object' && isBinary(schema.items))

const isBinary = (schema: Schema | undefined): boolean =>
  typeof schema === 'object' && schema.format === 'binary'

const LABELS = {
  json: 'Body, TYPE',
  items: 'Body, TYPE, its items as a JSON list',
  fields: 'Body, TYPE, its fields as a JSON object',
  text: 'Body, TYPE',
  file: 'Body, TYPE',
}
