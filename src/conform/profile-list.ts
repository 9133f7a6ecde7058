import type { Profile } from './profile.js'

export const PROFILES: readonly Profile[] = []
