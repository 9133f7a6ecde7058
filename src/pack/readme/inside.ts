import type { File } from '../../emit/file.js'

/** What the package consists of, but for the file that is written. */
export type Inside = {
  /** As package.json has it. */
  readonly manifest: {
    readonly name: string
    readonly license: string
    readonly exports: Readonly<Record<string, unknown>>
    readonly imports?: Readonly<Record<string, unknown>>
    readonly peerDependencies?: Readonly<Record<string, string>>
    readonly engines?: Readonly<Record<string, string>>
  }
  /** Every file by its path in the package, `dist/http.client.js`. */
  readonly files: readonly File[]
  /** The entries of `exports`, and what each gives, in a few words. */
  readonly parts: readonly { readonly entry: string; readonly gives: string }[]
  /** Bytes of the peers as they lie in `node_modules`, with what they bring; of those that were found. */
  readonly weights: ReadonlyMap<string, number>
}
