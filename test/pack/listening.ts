import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A port that nobody listens at, for a program that takes one by its number. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Resolves once something answers there, whatever it says. */
export const answering = async (port: number): Promise<void> => {
  const end = Date.now() + 60_000
  while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))) {
    if (Date.now() > end) throw new Error(`nothing answers at ${port}`)
    await pause(50)
  }
}
