import { type Level, type Logger, pino } from 'pino'
import { expect, vi } from 'vitest'

/** What an operator reads, line by line. */
export function listen(): OperatorLog {
  const lines: Line[] = []
  const write = (text: string) => void lines.push(JSON.parse(text) as Line)
  const messages = (level?: Level) =>
    lines.flatMap((line) => (!level || line.level === pino.levels.values[level] ? [line.msg] : []))
  return {
    log: pino({ level: 'debug' }, { write }),
    messages,
    until: (level, message) =>
      vi.waitFor(() => expect(messages(level)).toContain(message), { timeout: 120_000 }),
  }
}

type Line = { readonly level: number; readonly msg: string }

export type OperatorLog = {
  readonly log: Logger
  readonly messages: (level?: Level) => readonly string[]
  readonly until: (level: Level, message: string) => Promise<void>
}
