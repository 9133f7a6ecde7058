/** The HTTP half of the documents to begin with. `title` is written as YAML takes it. */
export const openapi = (title: string): string => `\
# The HTTP half of the service. \`npx twinspec lint\` says what is wrong or missing here, and why.
openapi: 3.0.3
info:
  title: ${title}
  version: 1.0.0
  description: Takes parcels, and tells where they are. An example to begin with; replace it by your own service.
  license:
    name: MIT
servers:
  # Clients choose a server by its name: createHttpClient({ server: 'local' }).
  - url: http://127.0.0.1:8080
    description: The server on this machine.
    x-name: local
# No operation needs a key. With a security scheme here, clients take \`auth\`, and servers are given it.
security: []
tags:
  - name: parcels
    description: Sending parcels, and following them.
# What the service bears: servers refuse more, and \`twinspec conform\` keeps to it.
x-limits:
  payloadBytes: 16384
paths:
  /parcels:
    post:
      # Names the function in clients and the handler in servers.
      operationId: sendParcel
      summary: Send a parcel
      description: Takes a parcel and answers what it is called from now on.
      tags: [parcels]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: schemas.yaml#/NewParcel
            # Examples are checked against their schemas, answered by the mock and sent by \`twinspec conform\`.
            examples:
              book:
                summary: A book to Rome
                value: { to: Via Appia 7, grams: 850 }
      responses:
        '201':
          description: The parcel is on its way.
          content:
            application/json:
              schema:
                $ref: schemas.yaml#/Parcel
              examples:
                book:
                  summary: What it is called
                  value: { id: p-1001, to: Via Appia 7, grams: 850, status: waiting }
          # What to call next with a field of this answer; \`twinspec conform\` follows it.
          links:
            look:
              operationId: getParcel
              description: Where it is.
              parameters:
                parcelId: $response.body#/id
        '400':
          $ref: '#/components/responses/Invalid'
        '413':
          $ref: '#/components/responses/TooLarge'
        '415':
          $ref: '#/components/responses/NotJson'
  /parcels/{parcelId}:
    get:
      operationId: getParcel
      summary: Where a parcel is
      description: Answers a parcel as it is now.
      tags: [parcels]
      # It may be sent again without asking for its effect twice, so clients retry it.
      x-idempotent: true
      parameters:
        - name: parcelId
          in: path
          required: true
          description: What the parcel is called.
          schema:
            $ref: schemas.yaml#/ParcelId
          example: p-1001
      responses:
        '200':
          description: The parcel.
          content:
            application/json:
              schema:
                $ref: schemas.yaml#/Parcel
              examples:
                waiting:
                  summary: Nobody has fetched it yet
                  value: { id: p-1001, to: Via Appia 7, grams: 850, status: waiting }
        '400':
          $ref: '#/components/responses/Invalid'
        '404':
          description: There is no such parcel.
          content:
            application/json:
              schema:
                $ref: schemas.yaml#/Problem
              examples:
                unknown:
                  summary: Nothing was sent under this name
                  value: { error: there is no parcel p-9999 }
components:
  responses:
    Invalid:
      description: The request breaks this document.
      content:
        application/json:
          schema:
            $ref: schemas.yaml#/Problem
          examples:
            invalid:
              summary: Something is missing
              value: { error: grams is missing }
    TooLarge:
      description: The body is larger than x-limits allows.
      content:
        application/json:
          schema:
            $ref: schemas.yaml#/Problem
          examples:
            tooLarge:
              summary: A whole library
              value: { error: the body is too large }
    NotJson:
      description: The body is not JSON.
      content:
        application/json:
          schema:
            $ref: schemas.yaml#/Problem
          examples:
            notJson:
              summary: A form was sent
              value: { error: send application/json }
`
