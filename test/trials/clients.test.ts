import { afterAll, beforeAll, describe } from 'vitest'
import { type Scene, startScene } from './client-scene.js'
import { ethersTrials } from './clients-ethers.js'
import { generatedTrials } from './clients-generated.js'
import { viemTrials } from './clients-viem.js'
import { web3Trials } from './clients-web3.js'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

describe.each([
  ['the generated clients', generatedTrials],
  ['viem', viemTrials],
  ['ethers', ethersTrials],
  ['web3', web3Trials],
])('%s', (_, trials) => trials(() => scene))
