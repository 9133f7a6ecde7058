/**
 * A secret as it is, or a function that returns it, called for every call. After a 401 it is called once more, with the
 * secret that was rejected; where it returns another one, the request is sent again.
 */
export type Secret<T = string> = T | ((rejected?: T) => T | Promise<T>)

export type BasicCredentials = { readonly username: string; readonly password: string }

/** Secret parameters and server variables by name, credentials by the name of their security scheme. */
export type Auth = Readonly<Record<string, AnySecret | undefined>>

type AnyCredential = string | BasicCredentials

/** A secret of any kind: what a function of it is given is known to its own type alone. */
type AnySecret = AnyCredential | ((rejected?: never) => AnyCredential | Promise<AnyCredential>)

/** A name (and what it may be called in a message) -> its secret, resolved. */
export type Credentials = Readonly<Record<string, string | BasicCredentials>>

/** The secrets that the functions of `auth` give. Rejects as they do, and with a TypeError for one that cannot be sent. */
export const readCredentials = async (
  given: Auth,
  rejected: Credentials = {},
): Promise<Credentials> => {
  const read = Object.entries(given).map(async ([name, secret]) => {
    const value = typeof secret === 'function' ? await secret(rejected[name] as never) : secret
    assertSecret(name, value)
    return [name, value]
  })
  return Object.fromEntries(await Promise.all(read))
}

/** Throws a TypeError for a secret that no request can carry. */
export const assertSecret = (name: string, value: unknown): void => {
  const parts = Object(value) === value ? Object.values(value as object) : [value]
  for (const part of parts) {
    if (typeof part !== 'string' || /[\r\n\0]/.test(part))
      throw new TypeError(`options.auth.${name} must be text without line breaks`)
  }
}

/** Every spelling of the credentials that a request may carry: what a redactor has to know. */
export const secretTexts = (credentials: Credentials): string[] =>
  Object.values(credentials).flatMap((value) =>
    typeof value === 'string' ? [value] : [value.password, `${value.username}:${value.password}`],
  )

/** The credentials that are plain text: keys, tokens, secret parameters and variables. */
export const textSecrets = (credentials: Credentials): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(credentials).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
