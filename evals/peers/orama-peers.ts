import { create, insertMultiple, search } from '@orama/orama'
import type { EmbedQuery, FindPassages, Peer } from './peer.ts'
import type { IndexedPassage } from '../../service/test/open-passages.ts'

/** @param similarity - minimum cosine of a passage found by its vector; undefined keeps the default, which is 0.8 */
const buildWith =
  (similarity: number | undefined) =>
  async (passages: readonly IndexedPassage[], embedQuery: EmbedQuery): Promise<FindPassages> => {
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
        ...(similarity !== undefined && { similarity }),
        limit: most,
      })
      return hits.map(({ document }) => document.place)
    }
  }

export const orama: Peer = {
  name: 'Orama 3.1.18 (hybrid)',
  setting: 'its default weights (.5 and .5), no minimum similarity',
  usesVectors: true,
  build: buildWith(0),
}

export const oramaAsItComes: Peer = {
  name: 'Orama 3.1.18 (hybrid, as it comes)',
  setting: 'the same with its default minimum similarity of .8, which this model seldom reaches',
  usesVectors: true,
  build: buildWith(undefined),
}
