import { answersBy, served } from './served.js'

/** By each way that the platform has to serve. */
export const use = async ({ ways }) => {
  const told = []
  for (const listen of ways) {
    const { send, close } = await listen(served())
    told.push(JSON.stringify(await answersBy(send)))
    await close()
  }
  return [...new Set(told)].map((text) => JSON.parse(text))
}
