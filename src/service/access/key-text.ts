import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A key's text is `ts_<id>_<secret>`: its id finds it in the store, and 192 random bits are the secret. */
export function newKeyText(): { readonly id: string; readonly key: string } {
  const id = randomBytes(6).toString('hex')
  return { id, key: `ts_${id}_${randomBytes(24).toString('hex')}` }
}

/** Undefined for what cannot be a key. */
export function idOf(key: string): string | undefined {
  return KEY.exec(key)?.[1]
}

/** Whether a text may be a key, one that is misspelled or cut short included, and not a word that a message needs. */
export function hasFormOfKey(text: string): boolean {
  return text.length >= 16 && /\d/.test(text)
}

/** What is stored. The text is random, so that no dictionary shortens the way back, and a slow hash would buy nothing. */
export function hashOf(key: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(key).digest())
}

/** Whether the hash is the key's, in the same time for every key and for an id that nobody has. */
export function isSame(key: string, hash: Uint8Array | undefined): boolean {
  return timingSafeEqual(hashOf(key), hash ?? NOBODYS) && hash !== undefined
}

const KEY = /^ts_([0-9a-f]{12})_[0-9a-f]{48}$/

const NOBODYS = new Uint8Array(32)
