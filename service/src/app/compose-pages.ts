import { askableBases } from '../accounts/grants/grants.ts'
import { createCustomAnswerPages } from '../channels/custom-answer-pages/custom-answer-pages-routes.ts'
import { createPageVisitors } from '../channels/document-pages/document-pages.ts'
import { createDocumentPages } from '../channels/document-pages/document-pages-routes.ts'
import type { BrowserSessions } from '../channels/sign-in/sign-in.ts'
import { createShownDocuments } from '../content/documents/documents.ts'
import type { Page } from '../platform/http/form-pages.ts'
import type { RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Platform } from './compose-platform.ts'
import type { Rooms } from './compose-rooms.ts'

/** Pages that one network opens in a minute: many people may share it, and each page is read from the storage. */
const VISITS: RateLimit = { name: 'document-page', most: 120, windowSeconds: 60 }

export interface ComposePagesInput {
  storage: Storage
  platform: Platform
  rooms: Rooms
  rateLimits: RateLimits
  browserSessions: BrowserSessions
  clientAddressOf: (context: Page) => string
}

/** The pages of what has no address of its own: documents and custom answers. */
export function composePages({ storage: { db }, platform, rooms, rateLimits, ...input }: ComposePagesInput) {
  const visitors = createPageVisitors({
    basesOf: async (context) => {
      const person = await input.browserSessions.personOf(context)
      if (person === undefined) return undefined
      return (await askableBases(db, person.userId, undefined)).map(({ id }) => id)
    },
    takeVisit: async (context) => {
      const states = await rateLimits.take([{ limit: VISITS, key: input.clientAddressOf(context) }])
      return states.find((state) => !state.isAllowed)?.resetSeconds
    },
  })
  return [
    createDocumentPages({
      documents: createShownDocuments({ db }),
      files: platform.files,
      visitors,
      addressOf: rooms.addresses.addressOf,
    }),
    createCustomAnswerPages({ customAnswers: rooms.customAnswers, visitors }),
  ]
}
