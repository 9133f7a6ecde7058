/** A shelf of books with reviews, labels of any name, and a search. No identifier has an example: a run has to create things. */
export const SHELF = `
openapi: 3.1.0
info: { title: Shelf, version: '1' }
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 }, example: 2 }
        - { name: language, in: query, schema: { $ref: '#/components/schemas/Language' }, example: en }
        - { name: cursor, in: query, schema: { type: string, pattern: '^[0-9]{1,6}$' } }
        - { name: tag, in: query, explode: true, schema: { type: array, maxItems: 3, items: { $ref: '#/components/schemas/Tag' } } }
      responses:
        '200':
          description: A page.
          content:
            application/json:
              schema:
                type: object
                required: [items, next]
                properties: { items: { type: array, items: { $ref: '#/components/schemas/Book' } }, next: { type: [string, 'null'] } }
              example: { items: [{ id: b1, title: Emma, pages: 400, language: en, tags: [] }, { id: b3, title: Ulysses, pages: 700, language: en, tags: [] }], next: '3' }
          links: { next: { operationId: listBooks, parameters: { cursor: '$response.body#/next' } } }
        '400': { $ref: '#/components/responses/Rejected' }
    post:
      operationId: addBook
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string, minLength: 1, maxLength: 64 } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Book' }, example: { title: Emma, pages: 400, language: en, tags: [novel] } } } }
      responses:
        '201':
          description: Added.
          headers: { Location: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
          links: { book: { operationId: getBook, parameters: { id: '$response.body#/id' } } }
        '400': { $ref: '#/components/responses/Rejected' }
        '415': { $ref: '#/components/responses/Rejected' }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string, pattern: '^b[0-9]{1,9}$' } }]
    get:
      operationId: getBook
      responses:
        '200':
          description: The book.
          headers: { ETag: { required: true, schema: { type: string } }, Last-Modified: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '304': { description: Not modified. }
        '404': { $ref: '#/components/responses/Rejected' }
    put:
      operationId: putBook
      parameters: [&match { name: If-Match, in: header, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Book' }, example: { title: Persuasion, pages: 300, language: en, tags: [] } } } }
      responses: &changed
        '200': { description: Changed., content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '400': { $ref: '#/components/responses/Rejected' }
        '404': { $ref: '#/components/responses/Rejected' }
        '412': { $ref: '#/components/responses/Rejected' }
        '415': { $ref: '#/components/responses/Rejected' }
    patch:
      operationId: patchBook
      parameters: [*match]
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { $ref: '#/components/schemas/Patch' }, example: { pages: 301 } } } }
      responses: *changed
    delete:
      operationId: dropBook
      parameters: [*match]
      responses:
        '204': { description: Gone. }
        '404': { $ref: '#/components/responses/Rejected' }
        '412': { $ref: '#/components/responses/Rejected' }
  /books/{id}/reviews:
    parameters: [&book { name: id, in: path, required: true, schema: { type: string, pattern: '^b[0-9]{1,9}$' } }]
    post:
      operationId: addReview
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Review' }, example: { stars: 5, text: Good } } } }
      responses:
        '201': { description: Added., headers: { Location: { required: true, schema: { type: string } } }, content: { application/json: { schema: { $ref: '#/components/schemas/Review' } } } }
        '400': { $ref: '#/components/responses/Rejected' }
        '404': { $ref: '#/components/responses/Rejected' }
        '415': { $ref: '#/components/responses/Rejected' }
  /books/{id}/reviews/{reviewId}:
    parameters: [*book, { name: reviewId, in: path, required: true, schema: { type: integer, minimum: 1, maximum: 999999 } }]
    get:
      operationId: getReview
      responses: { '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Review' } } } }, '404': { $ref: '#/components/responses/Rejected' } }
    delete:
      operationId: dropReview
      responses: { '204': { description: Gone. }, '404': { $ref: '#/components/responses/Rejected' } }
  /labels/{name}:
    parameters: [{ name: name, in: path, required: true, schema: { type: string, minLength: 1, maxLength: 20 } }]
    get:
      operationId: getLabel
      responses: { '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Label' } } } }, '400': { $ref: '#/components/responses/Rejected' }, '404': { $ref: '#/components/responses/Rejected' } }
    put:
      operationId: putLabel
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Label' }, example: { color: red, weight: 1 } } } }
      responses: { '204': { description: Stored. }, '400': { $ref: '#/components/responses/Rejected' }, '415': { $ref: '#/components/responses/Rejected' } }
    delete:
      operationId: dropLabel
      responses: { '204': { description: Gone. }, '400': { $ref: '#/components/responses/Rejected' }, '404': { $ref: '#/components/responses/Rejected' } }
  /search:
    get:
      operationId: search
      parameters:
        - { name: q, in: query, required: true, schema: { type: string, minLength: 1, maxLength: 20 }, example: emma }
        - { name: page, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }
      responses:
        '200': { description: What was found., content: { application/json: { schema: { type: object, required: [q, hits], properties: { q: { type: string }, hits: { type: array, items: { type: string } } } } } } }
        '400': { $ref: '#/components/responses/Rejected' }
components:
  schemas:
    Language: { type: string, enum: [en, fr] }
    Tag: { type: string, pattern: '^[a-z]{1,8}$' }
    Book:
      type: object
      additionalProperties: false
      required: [id, title, pages, language, tags]
      properties:
        id: { type: string, readOnly: true }
        title: { type: string, minLength: 1, maxLength: 40 }
        pages: { type: integer, minimum: 1, maximum: 5000 }
        language: { $ref: '#/components/schemas/Language' }
        tags: { type: array, maxItems: 3, items: { $ref: '#/components/schemas/Tag' } }
        pin: { type: string, writeOnly: true, minLength: 4, maxLength: 8 }
    Patch:
      type: object
      additionalProperties: false
      minProperties: 1
      properties: { title: { type: string, minLength: 1, maxLength: 40 }, pages: { type: integer, minimum: 1, maximum: 5000 } }
    Review:
      type: object
      additionalProperties: false
      required: [reviewId, stars, text]
      properties: { reviewId: { type: integer, readOnly: true }, stars: { type: integer, minimum: 1, maximum: 5 }, text: { type: string, maxLength: 60 } }
    Label:
      type: object
      additionalProperties: false
      required: [color, weight]
      properties: { color: { type: string, enum: [red, green, blue] }, weight: { type: integer, minimum: 0, maximum: 9 } }
    Error: { type: object, required: [error], properties: { error: { type: string } } }
  responses:
    Rejected: { description: Rejected., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
`
