import { readCostly } from '../node/read-raw.js'
import { signLegacy } from '../wallet/sign-legacy.js'
import { creationCode, prepareCall, prepareMessage } from '../zkt/prepare.js'

/** What the thread can do: functions of plain data, which keep a processor busy for long where their input is large. */
export const TASKS = {
  signLegacy,
  readCostly,
  prepareCall,
  prepareMessage,
  creationCode,
} as const

export type Tasks = typeof TASKS
