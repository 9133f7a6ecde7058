/** Seconds after which a request is worth sending again that a part of the service was not there for. */
export const RETRY_SECONDS = 5
