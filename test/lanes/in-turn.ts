import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { tryLock } from 'fs-native-extensions'
import { afterAll } from 'vitest'

// Of the files with this setup one runs at a time, whatever runs beside it; the lock ends with its process at the latest.
const file = await open(process.env.TURN ?? '', 'r+')
while (!tryLock(file.fd)) await pause(20)
afterAll(() => file.close())
