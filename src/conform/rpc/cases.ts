import type { Case } from '../case.js'
import type { Plan } from '../plan.js'

export const rpcCases = (_plan: Plan): readonly Case[] => []
