/** A user whom the URL of a server names: `https://bob:password@host` (RFC 3986, 3.2.1). */
export type User = {
  /** The value of Authorization that such a URL stands for (RFC 7617). */
  readonly authorization: string
  /** What must be shown to nobody: the password, and the pair; without a password the name is one. */
  readonly secrets: readonly string[]
}

export const userOf = ({ username, password }: URL): User | undefined => {
  if (username === '' && password === '') return undefined
  const [name, word] = [decoded(username), decoded(password)]
  const pair = `${name}:${word}`
  return {
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
    secrets: [pair, word === '' ? name : word],
  }
}

/** In a URL, and in what was only meant to be one. */
export const withoutUser = (url: string): string => url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1')

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
