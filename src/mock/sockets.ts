import type { Server as NodeServer } from 'node:http'
import type { ServerCore } from '../runtime/server/request.js'

/**
 * Serves JSON-RPC over WebSocket beside HTTP. Returns undefined without the package ws, which is an optional peer of ours. Pages
 * of every origin may connect, because a mock has nothing to protect.
 */
export const serveMockSockets = async (
  server: ServerCore,
  http: NodeServer,
  { onLog, load = () => import('../runtime/ws.js') }: MockSockets,
): Promise<{ readonly close: () => Promise<void> } | undefined> => {
  const loaded = await load().catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  return loaded?.serveWebSockets(server, http, {
    origins: ['*'],
    connectionsPerCaller: 10_000,
    onConnection: ({ closed }) => {
      onLog('WebSocket opened')
      void closed.then(() => onLog('WebSocket closed'))
    },
  })
}

type MockSockets = {
  readonly onLog: (line: string) => void
  readonly load?:
    | (() => Promise<Pick<typeof import('../runtime/ws.js'), 'serveWebSockets'>>)
    | undefined
}

const isMissing = (error: unknown): boolean => Object(error).code === 'ERR_MODULE_NOT_FOUND'
