import fc from 'fast-check'

/** The same cases are tried each time, so that a change is what makes a test fail; `npm run trials` draws new ones. */
if (process.env.TRIALS !== 'full') fc.configureGlobal({ seed: 20_261_122 })
