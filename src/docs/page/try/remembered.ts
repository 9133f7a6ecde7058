/** The values entered once for the whole site, stored until the tab is closed. */
export type Remembered = {
  readonly place?: string | undefined
  /** Protocol -> the address that was entered for it; an origin applies to both. */
  readonly addresses?: Readonly<Record<string, string>> | undefined
  readonly variables?: Readonly<Record<string, string>> | undefined
  readonly secrets?: Readonly<Record<string, string>> | undefined
  /** How long to wait for a response. */
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
    // The values then apply to this page only.
  }
}

let meanwhile: Remembered = {}

/** Sites with the same origin, such as all those opened from a disk, must not share keys. */
const key = (): string => {
  const up = document.documentElement.dataset.up ?? ''
  return `twinspec-try ${new URL(up === '' ? '.' : up, location.href).pathname}`
}
