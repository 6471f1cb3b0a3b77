/** What is different about a question on our own guide since it was written down. */
interface Correction {
  answerable?: boolean
  pages?: readonly string[]
  /** The text that answers, in today's words. */
  answer: string | readonly string[]
  kind?: string
}

/**
 * Questions on our own guide, by id, whose gold text was reworded since, or that the guide answers by now. A text is corrected to the
 * sentence that stands in the same place of the same page today; `evals/sets/guide-corrections.test.ts` finds texts that are gone.
 */
export const GUIDE_CORRECTIONS: Readonly<Record<string, Correction>> = {
  'guide-a01': {
    answer:
      "Stop the service and copy the data directory (except `database-reserve-*`), or back up the PostgreSQL database and the data directory's `files` folder.",
  },
  'guide-a07': { answer: '`GET /api/v1/messages/{id}/trace` shows how an answer was made, step by step' },
  'guide-a09': { answer: ['your own server', '`X-Client-Id: cw_id_…` and `X-Client-Secret: cw_sk_…`'] },
  'guide-a10': {
    answer: 'create a source of the type `files`, then upload: `POST /api/v1/sources/{id}/files`',
  },
  'guide-a11': {
    answer:
      '`persona` (up to 2,000 characters), `tone` (1,000) and `standing_instructions` (8,000) of a knowledge base are sent to the model as style instructions of its owner',
  },
  'guide-a14': { answer: 'Nothing is sent again automatically' },
  'guide-u01': {
    answerable: true,
    pages: ['install.md'],
    answer: 'There is no paid version, no licence key and no price per question.',
    kind: 'wrong-term',
  },
  'guide-u02': {
    answerable: true,
    pages: ['sources-confluence.md', 'sources.md'],
    answer:
      "Reads the pages and blog posts of a Confluence: in Atlassian's cloud, or on your own server (Data Center).",
    kind: 'yes-no',
  },
  'guide-u03': {
    answerable: true,
    pages: ['people.md'],
    answer:
      'Passwords here have no second factor: for two-factor login (2FA), sign in with a provider that asks for one.',
    kind: 'howto',
  },
  'guide-u04': {
    answerable: true,
    pages: ['running.md'],
    answer: 'MySQL, MariaDB and other databases are not supported.',
    kind: 'yes-no',
  },
  'guide-u05': {
    answerable: true,
    pages: ['install.md'],
    answer: 'MB of RAM at rest',
    kind: 'what-is',
  },
  'guide-u06': {
    answerable: true,
    pages: ['widget.md', 'put-it-on-your-site.md'],
    answer: 'To change the color of the chat widget, set `data-accent` to any color of CSS',
    kind: 'howto',
  },
  'guide-u08': {
    answerable: true,
    pages: ['dashboard.md'],
    answer: 'CSV and NDJSON files of what is filtered',
    kind: 'howto',
  },
}
