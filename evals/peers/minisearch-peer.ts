import MiniSearch from 'minisearch'
import type { Peer } from './peer.ts'

export const miniSearch: Peer = {
  name: 'MiniSearch 7.2.0',
  setting: 'words; title boosted twice, as its documentation shows',
  usesVectors: false,
  build: async (passages) => {
    const index = new MiniSearch({
      fields: ['title', 'heading', 'text'],
      searchOptions: { boost: { title: 2 } },
    })
    await index.addAllAsync(
      passages.map(({ title, headingPath, text }, id) => ({
        id,
        title,
        heading: headingPath.join(' '),
        text,
      })),
    )
    return (query, most) =>
      Promise.resolve(
        index
          .search(query)
          .slice(0, most)
          .map(({ id }) => Number(id)),
      )
  },
}
