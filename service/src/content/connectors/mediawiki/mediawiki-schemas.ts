import { z } from 'zod'

const Title = z.string().max(2_000)
const Time = z.string().max(50)

/** What every answer may have. https://www.mediawiki.org/wiki/API:Main_page */
export const Answer = z.object({
  error: z.object({ code: z.string().max(200), info: z.string().max(10_000).nullish() }).nullish(),
  /** What to send along for the next part of a list. */
  continue: z
    .record(z.string().max(100), z.union([z.string().max(5_000), z.int()]).transform(String))
    .nullish(),
})

/** A page, or only that it is missing. */
export const WikiPage = z.object({
  pageid: z.int().min(1),
  missing: z.boolean().default(false),
  ns: z.int().default(0),
  title: Title.default(''),
  redirect: z.boolean().default(false),
  lastrevid: z.int().default(0),
  /** Changes with the page, and with what is included in it. */
  touched: Time.default(''),
  fullurl: z
    .url({ protocol: /^https?$/ })
    .max(4_096)
    .nullish(),
  pagelanguagehtmlcode: z.string().max(50).nullish(),
  /** Whether whoever asks may read it. */
  actions: z.object({ read: z.boolean() }).nullish(),
})
export type WikiPage = z.infer<typeof WikiPage>

export const PageAnswer = Answer.extend({
  /** Left out by the wiki if nothing was found. */
  query: z.object({ pages: z.array(WikiPage).max(5_000).default([]) }).nullish(),
})

export const ChangesAnswer = Answer.extend({
  curtimestamp: Time.nullish(),
  query: z
    .object({
      recentchanges: z
        .array(z.object({ pageid: z.int().min(0).default(0) }))
        .max(5_000)
        .default([]),
    })
    .nullish(),
})

export const ParsedAnswer = Answer.extend({ parse: z.object({ text: z.string() }).nullish() })

export const TokenAnswer = Answer.extend({
  query: z.object({ tokens: z.object({ logintoken: z.string().max(500) }) }).nullish(),
})

export const LoginAnswer = Answer.extend({
  login: z.object({ result: z.string().max(200), reason: z.string().max(10_000).nullish() }).nullish(),
})

export const SiteAnswer = Answer.extend({
  query: z
    .object({
      general: z.object({ sitename: Title.nullish(), generator: Title.nullish() }),
      userinfo: z.object({ name: Title.nullish(), anon: z.boolean().default(false) }),
    })
    .nullish(),
})
