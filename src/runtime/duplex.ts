export {
  type ProgressContext,
  type ServerMethodContext,
  type ServerMethodHandler,
  serveHandlers,
} from './rpc/incoming.js'
export { type ProgressOption, trackProgress } from './rpc/progress.js'
export { cancelWriter } from './rpc/running-calls.js'
export {
  createSubscriptions,
  type Subscribe,
  type SubscribeOptions,
  type SubscribeVariants,
  type SubscriptionGap,
} from './rpc/subscriptions.js'
