/** The JSON-RPC half of the documents to begin with. `title` is written as YAML takes it. */
export const openrpc = (title: string): string => `\
# The JSON-RPC half of the service: one address, which takes a request or a batch of them by POST.
openrpc: 1.3.2
info:
  title: ${title}
  version: 1.0.0
  description: Tells where parcels are. An example to begin with; replace it by your own service.
  license:
    name: MIT
servers:
  - name: local
    summary: The server on this machine.
    url: http://127.0.0.1:8080/rpc
# What the service bears: clients divide larger batches, servers refuse them.
x-limits:
  batchSize: 20
  payloadBytes: 16384
methods:
  - name: parcel_get
    summary: Where a parcel is
    description: Answers a parcel as it is now, the same as \`GET /parcels/{parcelId}\`.
    tags: [{ name: parcels }]
    # Params come as an array, in this order.
    paramStructure: by-position
    # It may be sent again without asking for its effect twice, so clients retry it.
    x-idempotent: true
    params:
      - name: parcelId
        description: What the parcel is called.
        required: true
        schema:
          # What both documents mean is written once.
          $ref: schemas.yaml#/ParcelId
    result:
      name: parcel
      schema:
        $ref: schemas.yaml#/Parcel
    # Errors have names and are declared once; clients tell them apart by their code: isRpcError(error, 1).
    errors:
      - $ref: '#/components/errors/ParcelUnknown'
    examples:
      - name: waiting
        params:
          - { name: parcelId, value: p-1001 }
        result:
          name: parcel
          value: { id: p-1001, to: Via Appia 7, grams: 850, status: waiting }
      # A refusal, which OpenRPC itself cannot show.
      - name: unknown
        params:
          - { name: parcelId, value: p-9999 }
        x-error: { code: 1, message: there is no such parcel }
  - name: parcel_count
    summary: How many parcels there are
    description: Counts all parcels, or those of one status.
    tags: [{ name: parcels }]
    paramStructure: by-position
    x-idempotent: true
    params:
      - name: status
        description: Count these alone.
        schema:
          $ref: schemas.yaml#/Status
    result:
      name: count
      schema:
        type: integer
        minimum: 0
    examples:
      - name: all
        params: []
        result: { name: count, value: 1 }
      - name: delivered
        params:
          - { name: status, value: delivered }
        result: { name: count, value: 0 }
components:
  errors:
    ParcelUnknown:
      code: 1
      message: there is no such parcel
`
