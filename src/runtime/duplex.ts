export {
  type ServerMethodContext,
  type ServerMethodHandler,
  serveHandlers,
} from './rpc/incoming.js'
export {
  createSubscriptions,
  type Subscribe,
  type SubscribeOptions,
  type SubscribeVariants,
  type SubscriptionGap,
} from './rpc/subscriptions.js'
