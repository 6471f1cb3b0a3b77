import { htmlPage, startFakeSite, type FakeSite } from '../../../service/test/fake-site.ts'

const PARTS = 30

/** Where reading begins: pages outside of it are left out until a person includes them. */
export const FIRST_PAGE = '/guide/'

/** Of the first page, the page about keys and the news, and of all parts but the one that is left out. */
export const DOCUMENTS = PARTS + 2

/** A question that the site answers, and how its page begins. */
export const KEYS = 'When are keys rotated?'
export const ROTATED = 'Keys are rotated every day at midnight'

/** A question that the site does not answer, in two ways. */
export const TERRAFORM = 'Which Terraform provider belongs to the billing portal?'
export const TERRAFORM_AGAIN = 'Which terraform provider belongs to the billing portal'

/** The documentation of Acme: enough pages that a question comes before the last of them was read. */
export async function startStorySite(): Promise<FakeSite> {
  const parts = Array.from({ length: PARTS }, (_, at) => `/guide/part-${at}`)
  return await startFakeSite({
    [FIRST_PAGE]: htmlPage('Acme docs', 'Welcome to the documentation of Acme.', {
      links: [...parts, '/guide/keys', '/blog/news'],
      head: '<meta name="generator" content="Docusaurus v3.9.2">',
    }),
    '/guide/keys': htmlPage('Rotating keys', `${ROTATED}, UTC. The old key stops working within a minute.`),
    '/blog/news': htmlPage('News', 'Acme has a new logo.'),
    ...Object.fromEntries(
      parts.map((path, at) => [
        path,
        htmlPage(`Part ${at}`, `Part number ${at} is fastened with ${at} screws.`),
      ]),
    ),
  })
}
