import type { AskOptions } from '../node/ask.js'

export type Send = (params: readonly unknown[], options: AskOptions) => Promise<unknown>
