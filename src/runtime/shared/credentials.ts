/**
 * A secret, or a function that returns it and is called for every call. After a 401 it is called once more, with the rejected
 * secret; if it returns another one, the request is sent again.
 */
export type Secret<T = string> = T | ((rejected?: T) => T | Promise<T>)

export type BasicCredentials = { readonly username: string; readonly password: string }

/** Secret parameters and server variables by name, credentials by the name of their security scheme. */
export type Auth = Readonly<Record<string, AnySecret | undefined>>

type AnyCredential = string | BasicCredentials

/** A secret of any kind; only the specific type declares the argument of its function. */
type AnySecret = AnyCredential | ((rejected?: never) => AnyCredential | Promise<AnyCredential>)

/** Name (also used in messages) -> its resolved secret. */
export type ResolvedSecrets = Readonly<Record<string, string | BasicCredentials>>

/**
 * The secrets that the functions of `auth` return. Rejects with their errors, and with a TypeError for a secret that cannot be
 * sent.
 */
export const readCredentials = async (
  auth: Auth,
  rejected: ResolvedSecrets = {},
): Promise<ResolvedSecrets> => {
  const read = Object.entries(auth).map(async ([name, secret]) => {
    const value = typeof secret === 'function' ? await secret(rejected[name] as never) : secret
    assertSecret(name, value)
    return [name, value]
  })
  return Object.fromEntries(await Promise.all(read))
}

/** Throws a TypeError for a secret that no request can contain. */
export const assertSecret = (name: string, value: unknown): void => {
  const parts = Object(value) === value ? Object.values(value as object) : [value]
  for (const part of parts) {
    if (typeof part !== 'string' || /[\r\n\0]/.test(part))
      throw new TypeError(`options.auth.${name} must be text without line breaks`)
  }
}

/** Every form of the credentials that a request may contain, for a redactor. */
export const secretTexts = (credentials: ResolvedSecrets): string[] =>
  Object.values(credentials).flatMap((value) =>
    typeof value === 'string' ? [value] : [value.password, `${value.username}:${value.password}`],
  )

/** The credentials that are plain text: keys, tokens, secret parameters and variables. */
export const textSecrets = (credentials: ResolvedSecrets): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(credentials).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
