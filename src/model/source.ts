import type { Location } from './finding.js'

/** Where a node, or a member of it, was written; line and column are looked for only when `locate` is called. */
export type Source = { readonly locate: (...members: readonly (string | number)[]) => Location }
