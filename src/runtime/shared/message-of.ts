/** Node says no more than "fetch failed" itself; the cause knows. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message
}
