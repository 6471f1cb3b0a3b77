import { expect, test } from 'vitest'
import { createKeptParsing } from '../../../../test/kept-parsing.ts'
import { openTestRooms } from '../../../../test/test-rooms.ts'

async function formOf(...files: File[]): Promise<Request> {
  const form = new FormData()
  for (const file of files) form.append('file', file)
  const whole = new Response(form)
  const headers = { 'content-type': whole.headers.get('content-type') ?? '' }
  return new Request('http://localhost/', { method: 'POST', body: await whole.arrayBuffer(), headers })
}

test('a document that is deleted while its file is read does not come back', async () => {
  let whileReading = () => Promise.resolve()
  await using rooms = await openTestRooms({
    surroundings: {
      createParsing: (limits) => {
        const parsing = createKeptParsing(limits)
        return {
          ...parsing,
          parse: async (...given) => {
            await whileReading()
            return await parsing.parse(...given)
          },
        }
      },
    },
  })
  const owner = await rooms.joinWorkspace()
  const { base } = await rooms.knowledgeBases.create(owner, undefined, { name: 'Acme docs' })
  const { source } = await rooms.sources.create(owner, base.id, {
    type: 'files',
    name: 'Files',
    config: {},
    version_label: null,
    source_group_id: null,
    visibility: 'public',
    refresh: 'none',
  })
  const never = new AbortController().signal
  const upload = async (text: string) => {
    const files = ['a.txt', 'b.txt'].map((name) => new File([`${text} of ${name}`], name))
    await rooms.uploads.upload(owner, source.id, await formOf(...files))
    await rooms.syncs.jobs[0]?.handle({}, never)
  }
  const page = { sourceId: undefined, visibility: undefined, page: undefined, after: undefined, limit: 10 }
  const documents = async () => await rooms.documents.list(owner, base.id, page)
  await upload('The first text')
  const [first, second] = await documents()
  expect(new Set([first?.external_id, second?.external_id])).toEqual(new Set(['a.txt', 'b.txt']))

  whileReading = async () => {
    whileReading = () => Promise.resolve()
    await rooms.documents.remove(owner, first?.id ?? '')
  }
  await upload('Another text')
  expect((await documents()).map(({ external_id }) => external_id)).toEqual([second?.external_id])
})
