/** Pages listen to nothing, but a service worker answers by such a function. */
const answerInPage = async (server) => {
  const { toFetchHandler } = await import('@acme/zkt/server')
  const handle = toFetchHandler(server)
  return {
    send: (path, init) => handle(new Request(location.origin + path, init)),
    close: () => undefined,
  }
}

export const ways = [answerInPage]

/** MSW in a service worker, whose script the server of the page has. */
export const intercept = async (handlers) => {
  const { setupWorker } = await import('msw/browser')
  const worker = setupWorker(...handlers)
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  return () => worker.stop()
}
