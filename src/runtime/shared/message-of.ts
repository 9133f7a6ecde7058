/** The message of an error with that of its cause, unless it has it: Node's own is only "fetch failed". */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error && !message.includes(cause.message)
    ? `${message}: ${cause.message}`
    : message
}
