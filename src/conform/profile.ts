/** What a server is taken to do wherever the clauses leave it a choice: choice -> the ways that are its own. */
export type Profile = {
  readonly name: string
  /** What it describes, in a sentence. */
  readonly purpose: string
  readonly ways: Readonly<Record<string, readonly string[]>>
}
