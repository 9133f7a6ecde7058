import type { AskOptions } from '../node/ask.js'

export type Send = (params: readonly unknown[], options: SendOptions) => Promise<unknown>

type SendOptions = AskOptions & { readonly signal: AbortSignal }
