import { create, insertMultiple, search } from '@orama/orama'
import type { Peer } from './peer.ts'

export const orama: Peer = {
  name: 'Orama 3.1.18',
  setting: 'hybrid, its usual weights (.5 and .5), every similarity let in',
  build: async (passages, embedQuery) => {
    const index = create({
      schema: {
        place: 'number',
        title: 'string',
        heading: 'string',
        text: 'string',
        embedding: 'vector[384]',
      },
    } as const)
    await insertMultiple(
      index,
      passages.map(({ title, headingPath, text, vector }, place) => ({
        place,
        title,
        heading: headingPath.join(' '),
        text,
        embedding: [...vector],
      })),
    )
    return async (query, most) => {
      const { hits } = await search(index, {
        mode: 'hybrid',
        term: query,
        vector: { value: [...(await embedQuery(query))], property: 'embedding' },
        similarity: 0,
        limit: most,
      })
      return hits.map(({ document }) => Number(document.place))
    }
  },
}
