/** The program was called incorrectly, or the service is configured incorrectly: a line for each thing to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  constructor(lines: string | readonly string[], options?: ErrorOptions) {
    super([lines].flat().join('\n'), options)
  }
}
