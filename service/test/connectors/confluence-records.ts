import { filesOf, type VersionedFile } from './file-host.ts'

export interface StandInContent {
  id: string
  title: string
  word: string
  space: string
  parent: string | undefined
  isRestricted: boolean
  /** Milliseconds since 1970. */
  updated: number
  version: number
  /** Instead of the usual body, in storage format. */
  body?: string
  files: VersionedFile[]
}

/** Files of a page that come with it. */
const EXPANDED_FILES = 2

/** What is at each record, and of no use here. */
const AROUND = { _expandable: {}, _links: {} }

const usualBody = ({ word }: StandInContent) =>
  `<h2>About it</h2><p>The word of this page is ${word}.</p><ac:structured-macro ac:name="toc" ac:schema-version="1" /><ac:structured-macro ac:name="code"><ac:parameter ac:name="language">bash</ac:parameter><ac:plain-text-body><![CDATA[acme --word ${word} <file>]]></ac:plain-text-body></ac:structured-macro><table><tbody><tr><th>Plan</th><th>Limit</th></tr><tr><td>Free</td><td>10</td></tr></tbody></table>`

const restrictionsOf = (page: StandInContent) => ({
  read: {
    operation: 'read',
    restrictions: {
      user: { results: [], start: 0, limit: 100, size: 0 },
      group: page.isRestricted
        ? { results: [{ type: 'group', name: 'staff', id: 'a-group' }], start: 0, limit: 100, size: 1 }
        : { results: [], start: 0, limit: 100, size: 0 },
    },
    ...AROUND,
  },
})

/** A page as a search tells it: what is not expanded is not there. */
export function presentContent(
  page: StandInContent,
  parent: StandInContent | undefined,
  expand: readonly string[],
) {
  const has = (name: string) => expand.includes(name)
  const withRestrictions = has('restrictions.read.restrictions.user')
  return {
    id: page.id,
    type: 'page',
    status: 'current',
    title: page.title,
    ...(has('space') && {
      space: {
        id: 1,
        key: page.space,
        name: `Space ${page.space}`,
        type: 'global',
        status: 'current',
        ...AROUND,
      },
    }),
    ...(has('version') && {
      version: { number: page.version, when: new Date(page.updated).toISOString(), minorEdit: false },
    }),
    ...(has('ancestors') && {
      ancestors:
        parent === undefined
          ? []
          : [
              {
                id: parent.id,
                type: 'page',
                status: 'current',
                title: parent.title,
                ...(has('ancestors.restrictions.read.restrictions.user') && {
                  restrictions: restrictionsOf(parent),
                }),
              },
            ],
    }),
    ...(withRestrictions && { restrictions: restrictionsOf(page) }),
    ...(has('body.storage') && {
      body: { storage: { value: page.body ?? usualBody(page), representation: 'storage' } },
    }),
    ...(has('children.attachment.version') && {
      children: { attachment: filesOf(page, { start: 0, limit: EXPANDED_FILES }) },
    }),
    _links: {
      webui: `/spaces/${page.space}/pages/${page.id}/${encodeURIComponent(page.title).replaceAll('%20', '+')}`,
      self: 'https://example.com/',
    },
  }
}
