import type { Requirement } from '../requirement.ts'

const fields = 'contract/src/fields.ts'
const recordRows = 'contract/src/record-endpoints.ts'
const requestParts = 'service/src/platform/http/parse-request-part.ts'
const spec = 'open-items#1-conventions'

export const CONVENTIONS = {
  'conventions.json-utf8': {
    says: 'Bodies are JSON in UTF-8: anything else is refused, and what is answered is JSON.',
    spec,
    lives: 'service/src/platform/http/read-body.ts',
  },
  'conventions.addresses': {
    says: 'An http address is stored and returned as browsers write it, with no user name in it and everything escaped that is no part of one.',
    spec: 'open-items#records',
    lives: fields,
  },
  'conventions.names': {
    says: 'A name is one line whose characters are all visible: what hides or turns letters around in it is left out.',
    spec: 'open-items#records',
    lives: 'contract/src/visible-line.ts',
  },
  'conventions.api-v1': {
    says: 'Everything but health, metrics and the MCP addresses is below /api/v1.',
    spec: 'interface#versioning',
    lives: 'contract/src/endpoints.ts',
  },
  'conventions.null-is-absent': {
    says: 'Null for an optional field of a public body is the same as leaving the field out.',
    spec,
    lives: fields,
  },
  'conventions.ids': {
    says: 'Ids are UUIDs: v7, but v4 for threads and messages, whose ids a reader holds like a ticket.',
    spec,
    lives: 'service/src/kernel/ids.ts',
  },
  'conventions.times': {
    says: 'Times are ISO 8601 in UTC with milliseconds.',
    spec,
    lives: fields,
  },
  'conventions.lists': {
    says: 'Every list takes limit (50 where it is left out, 1 to 200) and cursor, and answers data and next_cursor.',
    spec,
    lives: 'contract/src/paging.ts',
  },
  'conventions.lists-in-pages': {
    says: 'Going through a list by its cursors meets every record once, also when records are added meanwhile.',
    spec,
    lives: 'service/src/kernel/paging.ts',
  },
  'conventions.create': {
    says: 'Creating answers 201 with the full record.',
    spec,
    lives: recordRows,
  },
  'conventions.record-fields': {
    says: 'Every record has id, created_at, updated_at and the id of what it belongs to, with names in snake_case.',
    spec: 'open-items#records',
    lives: fields,
  },
  'conventions.read-and-change': {
    says: 'Reading and changing answer 200 with the full record.',
    spec,
    lives: recordRows,
  },
  'conventions.delete': {
    says: 'Deleting answers 204 without a body, except that deleting a knowledge base answers 200 with what went.',
    spec,
    lives: recordRows,
  },
  'conventions.patch-merges': {
    says: 'PATCH merges objects key by key and replaces every other value; what it does not name stays.',
    spec,
    lives: 'service/src/accounts/knowledge-bases/knowledge-base-fields.ts',
  },
  'conventions.unknown-fields-refused': {
    says: 'A management body with a field that is not known is refused with 400.',
    spec,
    lives: requestParts,
  },
  'conventions.unknown-fields-passed-over': {
    says: 'A public body may have fields that are not known.',
    spec,
    lives: requestParts,
  },
  'conventions.request-id': {
    says: "Every answer carries X-Request-Id: the caller's own where it sent a sane one, else a new one.",
    spec,
    lives: 'service/src/platform/http/request-id.ts',
  },
  'conventions.methods': {
    says: 'An address asked with a method it does not take answers 405 and names those it takes; HEAD is GET without a body, and OPTIONS says what there is.',
    spec,
    lives: 'service/src/platform/http/http-app.ts',
  },
  'conventions.idempotency': {
    says: 'A create with an Idempotency-Key happens once, however often and wherever it is sent within a day, and is answered the same each time; with another body the key is refused with 409.',
    spec,
    lives: 'service/src/platform/http/idempotency',
  },
  'conventions.hostile-bodies': {
    says: 'No body, however broken, deep, long or oddly named, gets anything but a refusal or its true answer.',
    spec,
    lives: requestParts,
  },
} as const satisfies Record<string, Requirement>
