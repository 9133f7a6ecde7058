import { type Checks, type Fault, sourceOf, type Validator } from '../validate/validator.js'

/**
 * Why a check rejected a value: by its own explanation, else by one of the operation's validators, which `load` loads.
 * Undefined where there is none. What clients import is not imported here: bundlers would split it off the rest of them.
 */
export const explainRejected = async <Validators extends object>(
  { check, value, shown, pick, reading }: Rejection<Validators>,
  load: (() => Promise<Validators>) | undefined,
): Promise<Explained | undefined> => {
  const explainer = canExplain(check) ? check : load && pick(await load())
  if (!canExplain(explainer)) return undefined
  const isTolerant = reading === 'tolerant'
  const same = { open: explainer, tolerant: explainer }
  const { open, tolerant } = (isTolerant && (await sourceOf(explainer)?.readings())) || same
  const faults = open.explain(shown)
  return {
    faults:
      faults.length > 0
        ? faults
        : [{ pointer: '', keyword: 'schema', message: 'must fit the document' }],
    isTolerated:
      isTolerant && !faults.some(({ isAmbiguous }) => isAmbiguous) && tolerant.check(value),
  }
}

/**
 * Loads what explains rejected values: the operations' validators by id, as generated `explanations.ts` has them. Checks
 * alone give verdicts.
 */
export type Why = () => Promise<object>

/** A value that a check rejected. What explains it is `check` itself, or what `pick` finds in the explanations. */
export type Rejection<Validators> = {
  readonly check: Checks
  readonly value: unknown
  /** The value without secrets: messages quote values cut short, and half a secret would no longer be known as one. */
  readonly shown: unknown
  readonly reading: 'tolerant' | 'strict'
  readonly pick: (validators: Validators) => Checks | undefined
}

/** Why a value is invalid, and whether the tolerant reading of responses accepts it. */
export type Explained = { readonly faults: readonly Fault[]; readonly isTolerated: boolean }

const canExplain = (checks: Checks | undefined): checks is Validator =>
  checks !== undefined && 'explain' in checks
