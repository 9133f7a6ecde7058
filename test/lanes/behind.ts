import { getPriority, setPriority } from 'node:os'

/** Of Unix's: who has none takes five times as much where both want all. */
const NICENESS = 7

// With all the processes that it starts, the file leaves the processors to whoever's turn it is, and yet gets its share.
if (getPriority() < NICENESS) setPriority(NICENESS)
