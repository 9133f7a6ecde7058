import type { Settings } from '../settings.js'

export type GatewaySettings = Pick<
  Settings,
  | 'host'
  | 'port'
  | 'addressConnections'
  | 'trustProxy'
  | 'corsOrigin'
  | 'checkAnswers'
  | 'stopSeconds'
  | 'waitSeconds'
  | 'nodeSeconds'
  | 'compiler'
>
