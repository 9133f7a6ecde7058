import fc from 'fast-check'
import { seedOr } from './trials/size.js'

/** The same cases are tried each time, so that a change is what makes a test fail; `npm run trials` draws new ones. */
fc.configureGlobal({ seed: seedOr(20_261_122) })
