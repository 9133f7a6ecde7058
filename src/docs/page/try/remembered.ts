/** What was asked once for the whole site. It is kept by the tab, and gone with it. */
export type Remembered = {
  readonly place?: string | undefined
  /** Protocol -> the address that was written for it; an origin serves both. */
  readonly addresses?: Readonly<Record<string, string>> | undefined
  readonly variables?: Readonly<Record<string, string>> | undefined
  readonly secrets?: Readonly<Record<string, string>> | undefined
  /** How long an answer is waited for. */
  readonly seconds?: number | undefined
}

export const remembered = (): Remembered => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key()) ?? 'null')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return meanwhile
  }
}

export const remember = (change: Remembered): void => {
  meanwhile = { ...remembered(), ...change }
  try {
    sessionStorage.setItem(key(), JSON.stringify(meanwhile))
  } catch {
    // It holds for this page then.
  }
}

let meanwhile: Remembered = {}

/** Sites of one origin, as all are that are opened from a disk, must not share keys. */
const key = (): string => {
  const up = document.documentElement.dataset.up ?? ''
  return `twinspec-try ${new URL(up === '' ? '.' : up, location.href).pathname}`
}
