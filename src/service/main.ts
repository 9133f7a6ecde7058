import { runProcess } from './command-line.js'
import { service } from './run-service.js'

await runProcess(service)
