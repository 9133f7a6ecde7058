import { pino } from 'pino'
import { createCompiler } from '../../../src/service/compiler/create-compiler.js'
import { doublingStorage } from './sources.js'

/** A process of its own for limits.test.ts, which kills it while its compiler works, or lets it be. */
const compiler = createCompiler({
  processes: 1,
  seconds: 60,
  megabytes: 2000,
  log: pino({ level: 'silent' }),
})
await compiler.ready()
if (process.argv[2] === 'idle') {
  process.disconnect()
} else {
  void compiler.compile(doublingStorage(12))
  setTimeout(() => process.send?.('working'), 200)
}
