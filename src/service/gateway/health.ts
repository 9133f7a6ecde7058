/** Whether the service can do its work, asked of its parts at most once in `freshMilliseconds` and never for longer than `patience`. */
export const createHealth = (
  ready: () => Promise<Readiness>,
  { freshMilliseconds = 1_000, patienceMilliseconds = 3_000 }: HealthOptions = {},
): (() => Promise<Health>) => {
  let asked: { readonly at: number; readonly health: Promise<Health> } | undefined
  return () => {
    const now = Date.now()
    if (asked === undefined || now - asked.at >= freshMilliseconds)
      asked = { at: now, health: ask(ready, patienceMilliseconds) }
    return asked.health
  }
}

/** Part of the service -> whether it works; `reason` says why not, for everyone to read. */
export type Readiness = Readonly<Record<string, PartState>>
export type PartState = { readonly ready: boolean; readonly reason?: string }

export type Health = { readonly ready: boolean; readonly parts: Readiness }

export type HealthOptions = {
  readonly freshMilliseconds?: number
  readonly patienceMilliseconds?: number
}

const ask = async (ready: () => Promise<Readiness>, patience: number): Promise<Health> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Readiness>((resolve) => {
    const parts = { parts: { ready: false, reason: `no answer within ${patience} ms` } }
    timer = setTimeout(() => resolve(parts), patience)
  })
  // What a part failed by may hold an address with a password, so it is not told.
  const broken = (): Readiness => ({ parts: { ready: false, reason: 'they cannot be asked' } })
  const parts = await Promise.race([late, ready().catch(broken)])
  clearTimeout(timer)
  return { ready: Object.values(parts).every((part) => part.ready), parts }
}
