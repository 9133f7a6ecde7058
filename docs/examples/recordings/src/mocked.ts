import { setupServer } from 'msw/node'
import { createHandlers } from '../generated/msw.js'

// `node --import ./src/mocked.ts src/program.ts` needs no server: MSW answers from the examples of the documents.
setupServer(...createHandlers()).listen()
