import type { Case } from '../case.js'
import type { Plan } from '../plan.js'

export const exampleCases = (_plan: Plan): readonly Case[] => []
