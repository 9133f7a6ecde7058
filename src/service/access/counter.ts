import {
  type RateLimiterMemory,
  type RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'

/** The library rejects with the result where it refuses, and with an Error where the store failed. */
export const consume = async (
  limiter: RateLimiterMemory | RateLimiterPostgres,
  who: string,
  points: number,
): Promise<RateLimiterRes> => {
  try {
    return await limiter.consume(who, points)
  } catch (error) {
    if (error instanceof RateLimiterRes) return error
    throw error
  }
}

/** A counter that was known to be spent tells no count. */
export const spentBy = (result: RateLimiterRes, points: number, limit: number): Spent => {
  const consumed = result.consumedPoints === 0 ? limit + points : result.consumedPoints
  return {
    granted: Math.max(0, Math.min(points, limit - (consumed - points))),
    remaining: Math.max(0, limit - consumed),
    milliseconds: result.msBeforeNext,
  }
}

/** Takes points for one counter. */
export type Take = (who: string, points: number) => Promise<Spent>

export type Spent = {
  readonly granted: number
  readonly remaining: number
  readonly milliseconds: number
}

export type WindowOptions = {
  readonly keyPrefix: string
  readonly points: number
  readonly duration: number
}
