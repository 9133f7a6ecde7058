/**
 * Gives an object a `signal` that is made when somebody first asks for it: an AbortSignal costs more than most calls do.
 * It is a property of the object's own all the same, so that copies have it.
 */
export const withSignal = <T extends object>(
  holder: T,
  make: () => AbortSignal,
): T & { readonly signal: AbortSignal } => {
  const made = holder as T & Holder
  made[MAKE] = make
  return Object.defineProperty(made, 'signal', SIGNAL)
}

type Holder = { [MAKE]: () => AbortSignal; readonly signal: AbortSignal }

const MAKE = Symbol('make the signal')

/** One accessor for all: with one of its own, each object would be of a shape of its own, which costs the engine dear. */
const SIGNAL: PropertyDescriptor & ThisType<Holder> = {
  enumerable: true,
  configurable: true,
  get() {
    const value = this[MAKE]()
    Object.defineProperty(this, 'signal', { value, enumerable: true })
    return value
  },
}
