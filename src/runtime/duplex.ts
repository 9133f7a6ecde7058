export {
  type ServerMethodContext,
  type ServerMethodHandler,
  serveHandlers,
} from './rpc/incoming.js'
