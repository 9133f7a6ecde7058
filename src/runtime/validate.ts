/** One thing that is wrong with a value. */
export type Fault = {
  /** JSON pointer into the value; empty for the value itself. */
  readonly pointer: string
  /** The schema keyword that refused: `pattern`, `required`. */
  readonly keyword: string
  /** A readable sentence: `must match ^0x[0-9a-f]+$`. */
  readonly message: string
}

export type Validator<T = unknown> = {
  readonly check: (value: unknown) => value is T
  /** Every fault, in document order; empty exactly where `check` is true. */
  readonly explain: (value: unknown) => readonly Fault[]
}
