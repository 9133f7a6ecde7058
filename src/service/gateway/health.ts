/**
 * Whether the service can do its work: each part is asked, all at once, at most once in `freshMilliseconds`, and none is waited
 * for longer than `patienceMilliseconds`.
 */
export const createHealth = (
  probes: Probes,
  { freshMilliseconds = 1_000, patienceMilliseconds = 3_000 }: HealthOptions = {},
): (() => Promise<Health>) => {
  let asked: { readonly at: number; readonly health: Promise<Health> } | undefined
  return () => {
    const now = Date.now()
    if (asked === undefined || now - asked.at >= freshMilliseconds)
      asked = { at: now, health: askAll(probes, patienceMilliseconds) }
    return asked.health
  }
}

/** Part of the service -> a question that it answers as long as it works. */
export type Probes = Readonly<Record<string, () => Promise<unknown>>>

/** Part of the service -> whether it works; `reason` says why not, for everyone to read. */
export type Readiness = Readonly<Record<string, PartState>>
export type PartState = { readonly ready: boolean; readonly reason?: string }

export type Health = { readonly ready: boolean; readonly parts: Readiness }

export type HealthOptions = {
  readonly freshMilliseconds?: number
  readonly patienceMilliseconds?: number
}

const askAll = async (probes: Probes, patience: number): Promise<Health> => {
  const states = await Promise.all(
    Object.entries(probes).map(
      async ([name, probe]) => [name, await ask(probe, patience)] as const,
    ),
  )
  return { ready: states.every(([, { ready }]) => ready), parts: Object.fromEntries(states) }
}

const ask = async (probe: () => Promise<unknown>, patience: number): Promise<PartState> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<PartState>((resolve) => {
    const state = { ready: false, reason: `no answer within ${patience} ms` }
    timer = setTimeout(() => resolve(state), patience)
  })
  const answered = probe().then(
    () => ({ ready: true }),
    // What a part failed by may hold an address with a password, so it is not told.
    () => ({ ready: false, reason: 'it does not answer' }),
  )
  return Promise.race([late, answered]).finally(() => clearTimeout(timer))
}
