/** What both documents to begin with mean. */
export const schemas = `\
# What both documents mean, written once. Keywords that OpenAPI 3.0 and JSON Schema draft-07 read alike are safe here.
ParcelId:
  description: What a parcel is called.
  type: string
  pattern: '^p-[0-9]{1,9}$'
  example: p-1001
Status:
  description: How far a parcel has come.
  type: string
  enum: [waiting, travelling, delivered]
NewParcel:
  description: A parcel as it is handed in.
  type: object
  required: [to, grams]
  # Requests are closed: what is not known is refused, so that a slip is noticed.
  additionalProperties: false
  properties:
    to:
      description: Where it shall go.
      type: string
      minLength: 1
      maxLength: 200
    grams:
      description: What it weighs.
      type: integer
      minimum: 1
      maximum: 30000
Parcel:
  description: A parcel on its way.
  type: object
  required: [id, to, grams, status]
  # Answers are open: callers ignore what they do not know, so that the service may add to it.
  properties:
    id:
      $ref: '#/ParcelId'
    to:
      description: Where it goes.
      type: string
    grams:
      description: What it weighs.
      type: integer
    status:
      $ref: '#/Status'
Problem:
  description: Why a request was refused.
  type: object
  required: [error]
  properties:
    error:
      description: A sentence for people.
      type: string
`
