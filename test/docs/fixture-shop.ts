/** A document of one operation with every place of a parameter, several media types, and credentials. */
export const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [
    { url: 'https://{host}/v1', variables: { host: { default: 'shop.example' } } },
    { url: '/v2' },
  ],
  security: [{ token: [] }, { headerKey: [], queryKey: [] }],
  paths: {
    '/things/{id}': {
      put: {
        operationId: 'putThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
          {
            name: 'tag',
            in: 'query',
            schema: { type: 'array', items: { type: 'string', minLength: 2 } },
          },
          {
            name: 'where',
            in: 'query',
            style: 'deepObject',
            explode: true,
            schema: { type: 'object' },
          },
          { name: 'strict', in: 'query', required: true, schema: { type: 'boolean' } },
          { name: 'code', in: 'query', schema: { type: 'string', pattern: '^\\d+$' } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Thing' } },
            'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Thing' } },
            'multipart/form-data': { schema: { $ref: '#/components/schemas/Thing' } },
            'text/plain': { schema: { type: 'string' } },
            'application/octet-stream': {},
          },
        },
        responses: {
          200: {
            description: 'kept',
            headers: {
              'X-Left': { required: true, schema: { type: 'integer', minimum: 0 } },
            },
            content: {
              'application/json': {
                schema: {
                  oneOf: [
                    { $ref: '#/components/schemas/Thing' },
                    { $ref: '#/components/schemas/Receipt' },
                  ],
                },
              },
            },
          },
          204: { description: 'nothing new' },
          '4XX': { description: 'no', content: { 'text/plain': {} } },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: {
          name: { type: 'string' },
          count: { type: 'integer' },
          picture: { type: 'string', format: 'binary' },
        },
      },
      Receipt: {
        type: 'object',
        required: ['receipt'],
        properties: { receipt: { type: 'string', pattern: '^r' } },
      },
    },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      headerKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
      queryKey: { type: 'apiKey', in: 'query', name: 'key' },
    },
  },
}
