import { runProcess } from './command-line.js'
import { keys } from './run-keys.js'

await runProcess(keys)
