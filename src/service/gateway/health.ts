import { setTimeout as pause } from 'node:timers/promises'

/**
 * Whether the service works. All parts are probed together, at most once in FRESH_MILLISECONDS, and no probe is awaited
 * for longer than PATIENCE_MILLISECONDS.
 */
export const createHealth = (probes: Probes): (() => Promise<Health>) => {
  let asked: { readonly at: number; readonly health: Promise<Health> } | undefined
  return () => {
    const now = Date.now()
    if (asked === undefined || now - asked.at >= FRESH_MILLISECONDS)
      asked = { at: now, health: askAll(probes) }
    return asked.health
  }
}

const FRESH_MILLISECONDS = 1_000
const PATIENCE_MILLISECONDS = 3_000

/** Part of the service -> a request that succeeds while it works. */
export type Probes = Readonly<Record<string, () => Promise<unknown>>>

/** `reason` is a public explanation why a part does not work. */
type PartState = { readonly ready: boolean; readonly reason?: string }

type Health = { readonly ready: boolean; readonly parts: Readonly<Record<string, PartState>> }

export const STOPPING: Health = {
  ready: false,
  parts: { gateway: { ready: false, reason: 'it is being stopped' } },
}

const askAll = async (probes: Probes): Promise<Health> => {
  const states = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => [name, await ask(probe)] as const),
  )
  return { ready: states.every(([, { ready }]) => ready), parts: Object.fromEntries(states) }
}

const ask = (probe: () => Promise<unknown>): Promise<PartState> => {
  const answered = probe().then(
    () => ({ ready: true }),
    // The error of a part may contain an address with a password, so it is omitted.
    () => ({ ready: false, reason: 'it does not answer' }),
  )
  const reason = `no answer within ${PATIENCE_MILLISECONDS} ms`
  return Promise.race([
    answered,
    pause(PATIENCE_MILLISECONDS, undefined, { ref: false }).then(() => ({ ready: false, reason })),
  ])
}
