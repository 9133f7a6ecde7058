/** MSW in the process itself. */
export const interceptHere = async (handlers) => {
  const { setupServer } = await import('msw/node')
  const mocked = setupServer(...handlers)
  mocked.listen({ onUnhandledRequest: 'error' })
  return () => mocked.close()
}
