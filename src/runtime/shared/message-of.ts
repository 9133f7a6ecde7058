/** The message of an error with that of its cause: Node's own is only "fetch failed". */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message
}
