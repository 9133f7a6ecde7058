/** Texts that wait to be sent on one event stream, and those that are kept to be sent again. */
export type EventQueue = {
  /** Resolves when the reader keeps up. Rejects if too many bytes wait, or if the queue has ended. */
  readonly push: (text: string) => Promise<void>
  /** Ends the queue, after a last text that is accepted in any case. */
  readonly end: (text?: string) => void
  readonly isOver: () => boolean
  /** The number of the last text that was read. */
  readonly lastRead: () => number
  /** Frees what it keeps. */
  readonly discard: () => void
  /** Resolves when there is a first text, or the end. */
  readonly started: Promise<void>
  /** The texts after a number, of which the first is 1. Ends the reader before. */
  readonly read: (after: number) => EventQueueReader
}

/** `next` resolves with undefined when a delay passes without a text. */
export type EventQueueReader = {
  readonly next: (delay: number) => Promise<EventQueueText | 'over' | undefined>
  readonly leave: () => void
}

export type EventQueueText = { readonly number: number; readonly text: string }

/** The bytes of several queues. Texts that were read are kept while they fit. */
export type QueueBudget = {
  readonly most: number
  readonly isKeeping: boolean
  bytes: number
  /** The bytes of what was not read. */
  unread: number
  sent: Kept[]
}

type Kept = { readonly number: number; text: string; isGone: boolean }

/** Creates a queue within a budget, in UTF-16 code units. */
export const createEventQueue = (budget: QueueBudget): EventQueue => {
  const texts: Kept[] = []
  let count = 0
  /** The number of the last text that was read. */
  let read = 0
  let isOver = false
  let reader: { wake: () => void } | undefined
  let waiting: (() => void)[] = []
  let start!: () => void
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const proceed = (): void => {
    for (const go of waiting) go()
    waiting = []
  }
  const forget = (one: Kept): void => {
    if (!one.isGone) budget.bytes -= one.text.length
    one.isGone = true
    one.text = ''
  }
  const drop = (): void => {
    while (texts[0]?.isGone) texts.shift()
  }
  const add = (text: string): void => {
    budget.bytes += text.length
    budget.unread += text.length
    while (budget.bytes > budget.most) {
      const oldest = budget.sent.shift()
      if (oldest === undefined) break
      forget(oldest)
    }
    drop()
    count += 1
    texts.push({ number: count, text, isGone: false })
    start()
    reader?.wake()
  }

  return {
    started,
    isOver: () => isOver,
    lastRead: () => read,
    discard: () => {
      for (const one of texts.splice(0)) {
        if (one.number > read) budget.unread -= one.text.length
        forget(one)
      }
      budget.sent = budget.sent.filter(({ isGone }) => !isGone)
    },
    push: async (text) => {
      if (isOver) throw new Error('the exchange ended')
      if (budget.unread + text.length > budget.most)
        throw new Error(`more than ${budget.most} bytes wait to be sent`)
      add(text)
      if (reader && budget.unread > budget.most / 2)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
    },
    end: (text) => {
      if (isOver) return
      isOver = true
      if (text !== undefined) add(text)
      start()
      reader?.wake()
      proceed()
    },
    read: (after) => {
      let last = after
      let wake: () => void = () => undefined
      const own = { wake: () => wake() }
      const former = reader
      reader = own
      former?.wake()
      const leave = (): void => {
        if (reader === own) {
          reader = undefined
          proceed()
        }
        wake()
      }
      const take = (): EventQueueText | undefined => {
        const [first] = texts
        // Numbers have no gaps.
        const found = first && texts[Math.max(0, last + 1 - first.number)]
        if (found === undefined) return undefined
        last = found.number
        const { number, text, isGone } = found
        if (isGone) return take()
        if (number > read) {
          read = number
          budget.unread -= text.length
          if (budget.isKeeping) budget.sent.push(found)
          else forget(found)
          drop()
          if (budget.unread <= budget.most / 2) proceed()
        }
        return { number, text }
      }
      return {
        leave,
        next: async (delay) => {
          if (reader !== own) return 'over'
          const found = take()
          if (found || isOver) return found ?? 'over'
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, delay)
            Object(timer).unref?.()
            wake = () => {
              clearTimeout(timer)
              resolve()
            }
          })
          return reader === own ? (take() ?? (isOver ? 'over' : undefined)) : 'over'
        },
      }
    },
  }
}
