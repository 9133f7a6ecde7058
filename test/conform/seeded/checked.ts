import { type ConformOptions, conform, type Verdict } from '../../../src/conform/conform.js'
import { PROFILES } from '../../../src/conform/profile-list.js'
import type { Api } from '../../../src/model/api.js'
import { type Around, KEY, startClean } from './clean-server.js'

/** Whatever waits for a state waits by a clock of its own, so that nobody else does. */
export const judged = async (
  api: Api,
  around: Around,
  options: ConformOptions = {},
): Promise<Judged> => {
  const server = await startClean(api, around)
  let slept = 0
  try {
    const verdict = await conform(api, {
      url: server.url,
      key: KEY,
      rate: null,
      maxExamples: 3,
      profile: PROFILES.find(({ name }) => name === 'strict'),
      milliseconds: 2_000,
      now: () => performance.now() + slept,
      sleep: async (milliseconds) => {
        slept += milliseconds
      },
      ...options,
    })
    return { verdict, troubles: server.troubles }
  } finally {
    await server.stop()
  }
}

export type Judged = {
  readonly verdict: Verdict
  /** What the server itself had to say: nothing, or it is not clean. */
  readonly troubles: readonly unknown[]
}
