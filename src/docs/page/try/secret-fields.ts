import type { Credentials } from '../../../runtime/shared/credentials.js'
import { secretVariables } from '../../../runtime/shared/server-url.js'
import type { TryData } from './data.js'
import { element, field, PLAIN } from './element.js'
import { remember, remembered } from './remembered.js'

/** As whom requests go: a field for each secret that an operation may need, kept by the tab. */
export function secretFields(data: TryData, changed: () => void): SecretFields {
  const secrets = secretsOf(data).map((one) => ({ ...one, control: secretInput(one.key, changed) }))
  const values = () =>
    Object.fromEntries(secrets.map(({ key, control }) => [key, control.value] as const))
  return {
    parts: secrets.map(({ key, label, hint, control }) =>
      field(`try-secret-${key.replace(/\W+/g, '-')}`, label, control, hint),
    ),
    values,
    credentials: () => credentialsFrom(values()),
    controlOf: (of) => secrets.find(({ key }) => key === of.split('.').at(-1))?.control,
  }
}

export type SecretFields = {
  readonly parts: readonly HTMLElement[]
  /** Key -> the text of its field, which may be nothing. */
  readonly values: () => Readonly<Record<string, string>>
  /** As the generated client takes them; without those that are empty. */
  readonly credentials: () => Credentials
  readonly controlOf: (field: string) => HTMLElement | undefined
}

type SecretField = { readonly key: string; readonly label: string; readonly hint?: string }

/** What an operation may need to know of the caller: secret parameters, variables of servers, security schemes. */
function secretsOf(data: TryData): readonly SecretField[] {
  const found = new Map<string, SecretField>()
  for (const server of data.servers)
    for (const name of secretVariables(server)) {
      const usual = server.variables[name]?.default
      found.set(name, {
        key: name,
        label: name,
        hint: usual ? `in the address; ${usual} where it is empty` : 'in the address',
      })
    }
  if (data.kind === 'rpc') return [...found.values()]
  for (const { name, in: place, secret } of data.operation.parameters)
    if (secret) found.set(name, { key: name, label: name, hint: `in the ${place}` })
  for (const [name, scheme] of Object.entries(data.operation.schemes)) {
    if (scheme.kind === 'key')
      found.set(name, { key: name, label: name, hint: `${scheme.in} ${scheme.parameter}` })
    if (scheme.kind === 'bearer')
      found.set(name, { key: name, label: name, hint: 'a token, Authorization: Bearer' })
    if (scheme.kind !== 'basic') continue
    found.set(`${name} ${USER}`, { key: `${name} ${USER}`, label: `${name}, user` })
    found.set(`${name} ${PASSWORD}`, { key: `${name} ${PASSWORD}`, label: `${name}, password` })
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

const credentialsFrom = (secrets: Readonly<Record<string, string>>): Credentials =>
  Object.fromEntries(
    Object.entries(secrets).flatMap(([key, value]): [string, Credentials[string]][] => {
      if (value === '' || key.endsWith(` ${PASSWORD}`)) return []
      if (!key.endsWith(` ${USER}`)) return [[key, value]]
      const name = key.slice(0, -USER.length - 1)
      return [[name, { username: value, password: secrets[`${name} ${PASSWORD}`] ?? '' }]]
    }),
  )
