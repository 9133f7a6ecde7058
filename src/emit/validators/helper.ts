export type Helper = {
  readonly text: string
  readonly needs?: readonly string[]
  /** How it stands in a file that holds another helper. */
  readonly beside?: { readonly helper: string; readonly text: string }
}
