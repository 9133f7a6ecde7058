import { answersBy, served } from './served.js'

/** By each way that the platform has to serve. */
export const use = async ({ ways }) => {
  const answers = []
  for (const listen of ways) {
    const { send, close } = await listen(served())
    answers.push(JSON.stringify(await answersBy(send)))
    await close()
  }
  return [...new Set(answers)].map((text) => JSON.parse(text))
}
