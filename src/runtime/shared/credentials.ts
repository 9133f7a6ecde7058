import type { Deadline } from './deadline.js'

/** A secret as it is, or a function that gives it, called again for every call. */
export type Secret<T = string> = T | (() => T | Promise<T>)

export type BasicCredentials = { readonly username: string; readonly password: string }

/** Secret parameters and server variables by name, credentials by the name of their security scheme. */
export type Auth = Readonly<Record<string, Secret<string | BasicCredentials> | undefined>>

/** A name (and what it may be called in a message) -> its secret, resolved. */
export type Credentials = Readonly<Record<string, string | BasicCredentials>>

/** The secrets of the given names; a name that `auth` does not hold is left out. Rejects as their functions do. */
export const readCredentials = async (
  auth: object | undefined,
  names: Iterable<string>,
  deadline: Pick<Deadline, 'race'>,
): Promise<Credentials> => {
  const given = (auth ?? {}) as Auth
  const asked = [...new Set(names)].filter((name) => Object.hasOwn(given, name))
  const entries = asked.map(async (name) => {
    const secret = given[name]
    return [name, typeof secret === 'function' ? await secret() : secret] as const
  })
  const read = await deadline.race(Promise.all(entries))
  return Object.fromEntries(
    read.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
}

/** Every spelling of the credentials that a request may carry: what a redactor has to know. */
export const secretTexts = (credentials: Credentials): string[] =>
  Object.values(credentials).flatMap((value) =>
    typeof value === 'string' ? [value] : [value.password, `${value.username}:${value.password}`],
  )

/** The credentials that are plain text: keys, tokens, secret parameters and variables. */
export const textSecrets = (credentials: Credentials): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(credentials).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  )
