import {
  type Checks,
  type Fault,
  type Validator,
  type ValueRepair,
  validatorSource,
} from '../validate/validator.js'

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
  const readings = isTolerant ? await validatorSource(explainer)?.readings() : undefined
  const { open = explainer, tolerant = explainer } = readings ?? {}
  const faults = open.explain(shown)
  const mayTolerate =
    isTolerant && !faults.some(({ isAmbiguous, keyword }) => isAmbiguous || keyword === '')
  const repair = mayTolerate ? readings?.findRepair(value) : undefined
  return {
    faults:
      faults.length > 0
        ? faults
        : [{ pointer: '', keyword: 'schema', message: 'must match its schema' }],
    isTolerated: mayTolerate && tolerant.check(repair ? repair(value) : value),
    repair,
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
export type Explained = {
  readonly faults: readonly Fault[]
  readonly isTolerated: boolean
  /** What makes a tolerated value one of its type. */
  readonly repair?: ValueRepair | undefined
}

const canExplain = (checks: Checks | undefined): checks is Validator =>
  checks !== undefined && 'explain' in checks
