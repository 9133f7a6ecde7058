/** The program cannot run as it was asked to, or the service as it was set up: a line for each thing to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  constructor(lines: string | readonly string[], options?: ErrorOptions) {
    super([lines].flat().join('\n'), options)
  }
}
