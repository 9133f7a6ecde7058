import type { Checks, Fault, Reading, Validator } from '../validate.js'

/**
 * Loads what explains refused values: the operations' validators by id, as generated `explanations.ts` has them. Checks
 * alone give verdicts.
 */
export type Why = () => Promise<object>

/**
 * The faults of a value that `refusing` has rejected: its own explanation where it has one, else that of the validator
 * that `pick` finds in what `why` loads; undefined where nothing explains it.
 */
export const explainRejection = async (refusing: Checks, asked: Refusal): Promise<Faults> => {
  const { value, reading } = asked
  const able = await findExplainer(refusing, asked)
  if (able === undefined || reading === 'strict') return able?.explain(value)
  const { open } = await import('../validate.js')
  return open(able).explain(value)
}

/** The validator that explains what `refusing` has rejected; undefined where there is none or it cannot be loaded. */
export const findExplainer = async (
  refusing: Checks,
  { why, pick }: Pick<Refusal, 'why' | 'pick'>,
): Promise<Validator | undefined> => {
  // What cannot be loaded must not hide that a value was rejected.
  const able = canExplain(refusing) ? refusing : why && pick(await why().catch(() => ({})))
  return canExplain(able) ? able : undefined
}

type Refusal = {
  readonly value: unknown
  readonly reading: Reading
  readonly why: Why | undefined
  readonly pick: (validators: object) => unknown
}

type Faults = readonly Fault[] | undefined

const canExplain = (checks: unknown): checks is Validator =>
  typeof checks === 'object' && checks !== null && 'explain' in checks
