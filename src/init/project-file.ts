/** One file of a project to begin with. */
export type InitFile = {
  /** Below the folder of the project, with slashes. */
  readonly path: string
  readonly text: string
  /** A document stops everything where one exists already; what is `beside` the documents is left as it is. */
  readonly kind: 'document' | 'beside'
  /** The file that a document was taken from, absolute. Where that is the file itself, nothing is written. */
  readonly from?: string
  /** What a file that exists already lacks of it, line by line. */
  readonly lacking?: (standing: string) => readonly string[]
}
