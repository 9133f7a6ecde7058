import { createServer, notOffered } from './generated/stripe/server.js'

const CUSTOMER = {
  id: 'cus_1',
  object: 'customer',
  created: 1_750_000_000,
  livemode: false,
  email: 'jenny@example.com',
  shipping: null,
  default_source: null,
  description: null,
} as const

let attempts = 0

export const server = createServer(
  {
    ...notOffered,
    PostCustomers: ({ body }) => ({
      status: 200,
      body: { ...CUSTOMER, metadata: { order_id: body?.metadata ? 'as sent' : 'lost' } },
    }),
    GetCustomers: ({ query }) => ({
      status: 200,
      body: {
        object: 'list',
        url: '/v1/customers',
        has_more: typeof query?.created === 'object' && query.created.gte === 1_700_000_000,
        data: [CUSTOMER],
      },
    }),
    PostPaymentIntents: ({ body: { amount, currency } }) => {
      attempts += 1
      // Every first attempt fails.
      if (attempts % 2 === 1) return { status: 503, body: { error: { type: 'api_error' } } }
      return {
        status: 200,
        body: {
          id: 'pi_1',
          object: 'payment_intent',
          amount,
          capture_method: 'automatic',
          confirmation_method: 'automatic',
          created: 1_750_000_000,
          currency,
          livemode: false,
          payment_method_types: ['card'],
          status: 'requires_payment_method',
        },
      }
    },
  },
  { authenticate: { bearerAuth: (token) => (token === 'sk_test' ? {} : undefined) } },
)
