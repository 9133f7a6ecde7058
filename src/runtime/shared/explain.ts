import { type Checks, type Fault, sourceOf, type Validator } from '../validate/validator.js'

/**
 * Explains why a check rejected a value: by the check itself, else by one of the operation's validators, which `load` loads.
 * Undefined without any. This module must not import modules of clients: bundlers would split them off.
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
        : [{ pointer: '', keyword: 'schema', message: 'must match its schema' }],
    isTolerated:
      isTolerant && !faults.some(({ isAmbiguous }) => isAmbiguous) && tolerant.check(value),
  }
}

/**
 * Loads the module that explains rejected values: the operations' validators by id, as generated `explanations.ts` exports
 * them. Checks only accept or reject.
 */
export type Why = () => Promise<object>

/** A value that a check rejected. It is explained by `check` itself, or by the validator that `pick` selects. */
export type Rejection<Validators> = {
  readonly check: Checks
  readonly value: unknown
  /** The value without secrets: messages quote truncated values, and a part of a secret is no longer recognised. */
  readonly shown: unknown
  readonly reading: 'tolerant' | 'strict'
  readonly pick: (validators: Validators) => Checks | undefined
}

/** Why a value is invalid, and whether tolerant validation of responses accepts it. */
export type Explained = { readonly faults: readonly Fault[]; readonly isTolerated: boolean }

const canExplain = (checks: Checks | undefined): checks is Validator =>
  checks !== undefined && 'explain' in checks
