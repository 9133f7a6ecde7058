/** True where two types are one by TypeScript's own identity, which neither a subtype nor `any` satisfies. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/**
 * A type with its intersections flattened at every depth, so that two ways of writing one shape are
 * identical. An `any`, wherever it stands, becomes a mark that bears the name of its side: it equals
 * nothing, not even an `any` of the other side.
 * An `undefined` is marked too, for identity does not tell `?: X` from `?: X | undefined`.
 */
export type Normal<T, Side extends string> = 0 extends 1 & T
  ? { readonly 'any stands here': Side }
  : T extends object
    ? { [K in keyof T]: Normal<Required<T>[K], Side> }
    : T extends undefined
      ? { readonly 'undefined stands here': true }
      : T

/** The keys under which two records of types differ, and those that only one of the two has. */
export type Differing<A, B> = {
  [K in keyof A | keyof B]: K extends keyof A & keyof B
    ? Equal<Normal<A[K], 'left'>, Normal<B[K], 'right'>> extends true
      ? never
      : K
    : K
}[keyof A | keyof B]
