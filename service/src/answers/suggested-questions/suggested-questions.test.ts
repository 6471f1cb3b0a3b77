import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBase, makeGroup, makeSource } from '../../../test/make-records.ts'
import { openTestRooms, type TestRooms } from '../../../test/test-rooms.ts'
import { newId } from '../../kernel/ids.ts'

let rooms: TestRooms
beforeAll(async () => {
  rooms = await openTestRooms()
})
afterAll(() => rooms.close())

const TEXT: Record<string, string> = {
  'Rotating signing keys':
    'To rotate signing keys, open the keys page and press rotate. Old signing keys stay valid for a day.',
  'Installing plugins': 'Plugins are installed with the plugin command. Install plugins one at a time.',
  'Deploying workers': 'Workers run jobs. Deploy workers next to the queue.',
  'Exporting invoices': 'Invoices are exported as CSV. Export invoices every month.',
  'Inviting colleagues': 'Colleagues are invited by e-mail. Invite colleagues from the team page.',
  'Salaries of the board': 'The board earns a lot. Salaries are secret.',
}

async function index(
  knowledgeBaseId: string,
  sourceId: string,
  title: string,
  visibility: 'public' | 'restricted',
  folder = '',
) {
  await rooms.indexing.indexDocument(
    {
      knowledgeBaseId,
      sourceId,
      externalId: title,
      url: `https://docs.example.com/${folder}${encodeURIComponent(title)}`,
      document: { title, language: 'en', blocks: [{ kind: 'paragraph', markdown: TEXT[title] ?? title }] },
      language: 'en',
      visibility,
      sourceModifiedAt: undefined,
    },
    new AbortController().signal,
    async () => {},
  )
}

async function restrict(knowledgeBaseId: string, title: string) {
  await rooms.db
    .updateTable('documents')
    .set({ visibility: 'restricted' })
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .where('title', '=', title)
    .execute()
}

verifies(
  [
    'suggested-questions.generated',
    'suggested-questions.no-restricted',
    'suggested-questions.empty-at-first',
  ],
  'up to four questions are written from public pages, none from a restricted one',
  async () => {
    const base = await makeBase(rooms.db)
    const source = await makeSource(rooms.db, base.id)
    const suggested = rooms.suggestedQuestions
    expect(await suggested.list(base.id, undefined)).toEqual([])

    for (const title of Object.keys(TEXT))
      await index(base.id, source, title, title.startsWith('Salaries') ? 'restricted' : 'public')
    await index(base.id, source, 'Changelog', 'public')
    await suggested.refresh(base.id)

    const questions = await suggested.list(base.id, undefined)
    expect(questions).toEqual([
      'How do I deploy workers?',
      'How do I export invoices?',
      'How do I install plugins?',
      'How do I invite colleagues?',
    ])
  },
)

test('no question is written from a listing of source code', async () => {
  const base = await makeBase(rooms.db)
  const source = await makeSource(rooms.db, base.id)
  for (const [place, title] of Object.keys(TEXT).slice(0, 5).entries())
    await index(base.id, source, title, 'public', place < 4 ? '_modules/' : '')
  await rooms.suggestedQuestions.refresh(base.id)

  expect(await rooms.suggestedQuestions.list(base.id, undefined)).toEqual(['How do I invite colleagues?'])
})

test('a question whose page becomes restricted is replaced at the next request', async () => {
  const base = await makeBase(rooms.db)
  const source = await makeSource(rooms.db, base.id)
  for (const title of Object.keys(TEXT).slice(0, 5)) await index(base.id, source, title, 'public')
  const suggested = rooms.suggestedQuestions
  // Those that were written after two pages are offered for a while yet on a busy machine.
  await suggested.refresh(base.id)
  const before = await suggested.list(base.id, undefined)
  const titles = Object.keys(TEXT).slice(0, 4)

  for (const title of titles) await restrict(base.id, title)

  const after = await suggested.list(base.id, undefined)
  expect(before).toHaveLength(4)
  expect(after).toEqual(['How do I invite colleagues?'])
})

test('a key limited to one group gets questions that this group answers', async () => {
  const base = await makeBase(rooms.db)
  const group = await makeGroup(rooms.db, base.id)
  const inGroup = await makeSource(rooms.db, base.id, { source_group_id: group })
  const outside = await makeSource(rooms.db, base.id)
  for (const title of Object.keys(TEXT).slice(0, 4)) await index(base.id, outside, title, 'public')
  await index(base.id, inGroup, 'Inviting colleagues', 'public')
  const suggested = rooms.suggestedQuestions

  expect(await suggested.list(base.id, [group])).toEqual(['How do I invite colleagues?'])
  expect(await suggested.list(base.id, [newId()])).toEqual([])
})

verifies(
  ['suggested-questions.own', 'suggested-questions.none'],
  'the owner’s own list is returned in its order, and mode none returns no questions',
  async () => {
    const questions = ['Second?', 'First?']
    const own = await makeBase(rooms.db, {
      base: { starter_questions: JSON.stringify({ mode: 'own', questions }) },
    })
    const none = await makeBase(rooms.db, {
      base: { starter_questions: JSON.stringify({ mode: 'none', questions }) },
    })
    expect(await rooms.suggestedQuestions.list(own.id, undefined)).toEqual(questions)
    expect(await rooms.suggestedQuestions.list(none.id, undefined)).toEqual([])
  },
)

verifies(
  ['suggested-questions.after-a-sync', 'suggested-questions.every-day'],
  'the questions are rewritten after a sync that changed documents, not after one that did not, and after a day',
  async () => {
    const base = await makeBase(rooms.db)
    const source = await makeSource(rooms.db, base.id)
    await index(base.id, source, 'Rotating signing keys', 'public')
    const suggested = rooms.suggestedQuestions
    const madeAt = async () => {
      const row = await rooms.db
        .selectFrom('suggested_questions')
        .select('made_at')
        .where('knowledge_base_id', '=', base.id)
        .executeTakeFirstOrThrow()
      return row.made_at
    }
    await suggested.list(base.id, undefined)
    const first = await madeAt()
    const finish = async (hasChangedDocuments: boolean) => {
      rooms.clock.time = new Date(rooms.clock.time.getTime() + 60_000)
      rooms.service.platform.events.announce('sync.finished', {
        knowledgeBaseId: base.id,
        sourceId: source,
        syncId: newId(),
        hasChangedDocuments,
        isHeld: false,
      })
    }

    await finish(false)
    expect(await madeAt()).toEqual(first)

    await finish(true)
    await expect.poll(madeAt, { timeout: 5_000 }).toEqual(rooms.clock.time)

    rooms.clock.time = new Date(rooms.clock.time.getTime() + 25 * 60 * 60 * 1_000)
    await suggested.list(base.id, undefined)
    await expect.poll(madeAt, { timeout: 5_000 }).toEqual(rooms.clock.time)
  },
)
