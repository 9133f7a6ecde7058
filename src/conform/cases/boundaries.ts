import type { Case } from '../case.js'
import type { Plan } from '../plan.js'

export const boundaryCases = (_plan: Plan): readonly Case[] => []
