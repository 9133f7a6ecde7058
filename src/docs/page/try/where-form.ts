import { isSocketUrl } from '../../../model/servers.js'
import type { Server } from '../../../runtime/operation.js'
import { type ResolvedSecrets, secretTexts } from '../../../runtime/shared/credentials.js'
import { fillServer, secretVariables, withPath } from '../../../runtime/shared/server-url.js'
import { templateNames } from '../../../runtime/shared/template.js'
import type { TryData } from './data.js'
import { choice, element, field, PLAIN } from './element.js'
import { remember, remembered } from './remembered.js'

/** The form for the server and the credentials, shared by the whole site. */
export function whereForm(
  data: TryData,
  first: string | undefined,
  changed: () => void,
): WhereForm {
  const origin = /^https?:$/.test(location.protocol) ? location.origin : undefined
  const places = serverChoices(data, origin)
  const kept = remembered()
  const wish = [kept.place, first].find((key) => places.some((one) => one.key === key))
  const select = choice(places.map(({ key, words }) => [key, words]))
  select.value = wish ?? places[0]?.key ?? 'address'
  const address = element('input', {
    type: 'url',
    inputmode: 'url',
    placeholder: 'http://127.0.0.1:8080',
    ...PLAIN,
  })
  address.value = addressOf(data.kind)
  const variables = element('div', { class: 'fields' })
  const addressField = field(
    'try-address',
    'Address',
    address,
    'The documented path is appended, unless the URL ends with it.',
  )
  const secrets = secretFields(data, changed)
  const seconds = element('input', { type: 'number', min: '1', max: '600', step: '1' })
  seconds.value = String(kept.seconds ?? PATIENCE)

  const current = (): Place | undefined => places.find(({ key }) => key === select.value)
  const server = () => {
    const place = current()
    if (place?.key !== 'address') return place?.server
    const text = address.value.trim()
    return text === '' ? undefined : relocatedServer(data.servers[0], text)
  }
  const filled = () => ({
    variables: Object.fromEntries(
      [...variables.querySelectorAll<HTMLInputElement>('[data-name]')].map((one) => [
        one.dataset.name,
        one.value.trim(),
      ]),
    ),
    secrets: secrets.values(),
  })
  const show = () => {
    addressField.hidden = select.value !== 'address'
    const here = server()
    variables.replaceChildren(
      ...(here ? openVariables(here) : []).map((name) => {
        const { default: usual, enum: allowed } = here?.variables[name] ?? {}
        const key = `${select.value} ${name}`
        const control = allowed
          ? choice(allowed.map((one) => [one, one]))
          : element('input', { type: 'text', ...PLAIN })
        control.value = remembered().variables?.[key] ?? usual ?? ''
        control.dataset.name = name
        control.addEventListener('input', () => {
          remember({ variables: { ...remembered().variables, [key]: control.value } })
          changed()
        })
        return field(`try-variable-${name}`, [element('code', {}, name)], control, 'in the address')
      }),
    )
  }
  select.addEventListener('input', () => {
    remember({ place: select.value })
    show()
    changed()
  })
  address.addEventListener('input', () => {
    keepAddress(data.kind, address.value.trim())
    changed()
  })
  seconds.addEventListener('input', () => {
    if (seconds.validity.valid && seconds.value !== '') remember({ seconds: Number(seconds.value) })
  })
  show()
  const part = element(
    'fieldset',
    { class: 'where' },
    element('legend', {}, 'Server and credentials'),
    element(
      'div',
      { class: 'fields' },
      field('try-server', 'Server', select),
      addressField,
      variables,
      ...secrets.parts,
      field('try-seconds', 'Timeout (seconds)', seconds),
    ),
    element('p', { class: 'hint' }, 'Stored for this tab only, until you close it.'),
  )
  return {
    part,
    address: () => resolvePlace(server(), filled(), data.kind),
    credentials: secrets.credentials,
    secrets: () => secretTexts(secrets.credentials()),
    controlOf: (of) =>
      of === 'server' ? (select.value === 'address' ? address : select) : secrets.controlOf(of),
    seconds: () => (seconds.validity.valid && Number(seconds.value)) || PATIENCE,
  }
}

export type WhereForm = {
  readonly part: HTMLElement
  readonly address: () => { readonly url: string } | { readonly wrong: string }
  readonly credentials: () => ResolvedSecrets
  /** The secrets, which must be masked. */
  readonly secrets: () => readonly string[]
  readonly seconds: () => number
  readonly controlOf: (field: string) => HTMLElement | undefined
}

/** The default time to wait for a response, in seconds. */
const PATIENCE = 30

const addressOf = (kind: string): string => {
  const { addresses = {} } = remembered()
  const other = Object.entries(addresses).find(([one]) => one !== kind)?.[1]
  return addresses[kind] ?? (other === undefined ? '' : (originOf(other) ?? ''))
}

/** An origin applies to both protocols; an address with a path applies to one. */
const keepAddress = (kind: string, text: string): void => {
  const shared = originOf(text) === text.replace(/\/$/, '')
  remember({ addresses: { ...(shared ? {} : remembered().addresses), [kind]: text } })
}

/** The servers that a reader may select: those of the documents, the origin of this page, and another address. */
export function serverChoices({ servers }: Pick<TryData, 'servers'>, origin: string | undefined) {
  const reachable = servers.filter(({ url }) => !url.startsWith('/') || origin !== undefined)
  const documented = reachable.map((server): Place => {
    const url = server.url.startsWith('/') ? `${origin}${server.url}` : server.url
    return { key: `server:${server.name}`, words: server.name, server: { ...server, url } }
  })
  const here: readonly Place[] =
    origin === undefined
      ? []
      : [
          {
            key: 'origin',
            words: 'the origin of this page',
            server: relocatedServer(
              servers[0],
              isSocketUrl(servers[0]?.url) ? origin.replace(/^http/, 'ws') : origin,
            ),
          },
        ]
  return [...documented, ...here, { key: 'address', words: 'another address', server: undefined }]
}

type Place = {
  readonly key: string
  readonly words: string
  /** Undefined if the reader enters the address. */
  readonly server: Server | undefined
}

/** A documented server at an address that the reader entered: the documented path is appended unless the URL ends with it. */
export function relocatedServer(documented: Server | undefined, address: string): Server {
  const url = address.trim() === '' ? '' : withPath(address, pathOf(documented?.url ?? ''))
  return { name: 'as given', url, variables: documented?.variables ?? {} }
}

/** The path after the host of an address with variables, or after a variable in place of the host. */
const pathOf = (url: string): string => {
  const path = url.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*|^\{[^}]*\}/i, '')
  return path === '' || path.startsWith('/') ? path : `/${path}`
}

/** The origin of an address; undefined if it has none. */
const originOf = (address: string): string | undefined =>
  /^(?:http|ws)s?:\/\/[^/?#]+/i.exec(address)?.[0]

/** The URL of a server with its variables filled in; or what is wrong with it, as a sentence. */
export function resolvePlace(
  server: Server | undefined,
  filled: Filled,
  kind: TryData['kind'] = 'http',
): { readonly url: string } | { readonly wrong: string } {
  if (server === undefined || server.url.trim() === '')
    return { wrong: 'Choose a server, or enter its URL.' }
  const { scheme, words } = SCHEMES[kind]
  if (!server.url.startsWith('{') && !(scheme.test(server.url) && server.url.includes('://')))
    return { wrong: `The URL must begin with ${words}.` }
  const { variables, secrets } = filled
  const missing = templateNames(server.url).find(
    (name) => !variables[name] && !secrets[name] && !server.variables[name]?.default,
  )
  if (missing !== undefined) return { wrong: `The URL needs a value for ${missing}.` }
  try {
    return { url: fillServer(server, present(variables), present(secrets), scheme) }
  } catch (error) {
    return { wrong: `The URL cannot be used: ${error instanceof Error ? error.message : ''}.` }
  }
}

const SCHEMES = {
  http: { scheme: /^https?:/i, words: 'http:// or https://' },
  rpc: { scheme: /^(http|ws)s?:/i, words: 'http://, https://, ws:// or wss://' },
}

type Filled = {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly secrets: Readonly<Record<string, string | undefined>>
}

const openVariables = (server: Server): readonly string[] => {
  const hidden = new Set(secretVariables(server))
  return templateNames(server.url).filter((name) => !hidden.has(name))
}

const present = (values: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value))

/** A field for each secret that an operation may need, stored by the tab. */
function secretFields(data: TryData, changed: () => void) {
  const secrets = secretsOf(data).map((one) => ({ ...one, control: secretInput(one.key, changed) }))
  const values = () =>
    Object.fromEntries(secrets.map(({ key, control }) => [key, control.value] as const))
  return {
    parts: secrets.map(({ key, label, hint, control }) =>
      field(`try-secret-${key.replace(/\W+/g, '-')}`, label, control, hint),
    ),
    /** Key -> the text of its field, which may be empty. */
    values,
    /** The credentials for the generated client, without empty ones. */
    credentials: () => credentialsFrom(values()),
    controlOf: (of: string) =>
      secrets.find(({ key }) => key === of.slice(of.indexOf('.') + 1))?.control,
  }
}

type SecretField = {
  readonly key: string
  readonly label: string
  readonly hint: string | undefined
}

/** The secrets that an operation may need: secret parameters, variables of servers, security schemes. */
function secretsOf(data: TryData): readonly SecretField[] {
  const found = new Map<string, SecretField>()
  const add = (key: string, hint: string | undefined, label = key) =>
    void found.set(key, { key, label, hint })
  for (const server of data.servers)
    for (const name of secretVariables(server)) {
      const usual = server.variables[name]?.default
      add(name, usual ? `in the address; ${usual} where it is empty` : 'in the address')
    }
  if (data.kind === 'rpc') return [...found.values()]
  for (const { name, in: place, secret } of data.operation.parameters)
    if (secret) add(name, `in the ${place}`)
  for (const [name, scheme] of Object.entries(data.operation.schemes)) {
    if (scheme.kind === 'key') add(name, `${scheme.in} ${scheme.parameter}`)
    if (scheme.kind === 'bearer') add(name, 'a token, Authorization: Bearer')
    if (scheme.kind !== 'basic') continue
    add(`${name} ${USER}`, undefined, `${name}, user`)
    add(`${name} ${PASSWORD}`, undefined, `${name}, password`)
  }
  return [...found.values()]
}

const USER = '(user)'
const PASSWORD = '(password)'

const secretInput = (key: string, changed: () => void): HTMLInputElement => {
  const control = element('input', { type: 'password', ...PLAIN, autocomplete: 'off' })
  control.value = remembered().secrets?.[key] ?? ''
  control.addEventListener('input', () => {
    remember({ secrets: { ...remembered().secrets, [key]: control.value } })
    changed()
  })
  return control
}

const credentialsFrom = (secrets: Readonly<Record<string, string>>): ResolvedSecrets =>
  Object.fromEntries(
    Object.entries(secrets).flatMap(([key, value]): [string, ResolvedSecrets[string]][] => {
      if (value === '' || key.endsWith(` ${PASSWORD}`)) return []
      if (!key.endsWith(` ${USER}`)) return [[key, value]]
      const name = key.slice(0, -USER.length - 1)
      return [[name, { username: value, password: secrets[`${name} ${PASSWORD}`] ?? '' }]]
    }),
  )
