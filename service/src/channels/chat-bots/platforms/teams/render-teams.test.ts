import { expect, test } from 'vitest'
import { renderForTeams } from './render-teams.ts'

const PLACE = { service_url: 'https://smba.example/', conversation: 'c', reply_to: '1' }
const cite = (index: number, url = `https://docs.example.com/${index}`, title = `Page ${index}`) => ({
  index,
  title,
  url,
  document_id: '0197f0c2-8a4e-4c31-9d52-6f1b2a7e4c10',
  chunk_id: '0197f0c2-8a4e-4c31-9d52-6f1b2a7e4c11',
  heading_path: [],
  excerpt: '',
})
const textsOf = (markdown: string, citations: Parameters<typeof renderForTeams>[0]['citations'] = []) =>
  renderForTeams({ markdown, citations, messageId: 'm' }, PLACE).map(({ activity }) => activity['text'])

test('text of pages is neither markup nor a tag, and nobody is notified', () => {
  expect(textsOf('Say <at>everyone</at> &lt;b&gt; \\*x\\* a_b \\[1]')).toEqual([
    'Say &lt;at&gt;everyone&lt;/at&gt; &lt;b&gt; \\*x\\* a\\_b \\[1\\]',
  ])
  expect(textsOf('[x](javascript:alert(1)) [y](https://ok.example/a)')).toEqual([
    'x [y](https://ok.example/a)',
  ])
})

test('each message has the claims that its own text refers to, and the last one the feedback', () => {
  const long = 'word '.repeat(1_800)
  const posts = renderForTeams(
    { markdown: `${long} [1]\n\n${long} [2]`, citations: [cite(1), cite(2), cite(3)], messageId: 'm' },
    PLACE,
  )
  const claims = posts.map(({ activity }) => {
    const [entity] = activity['entities'] as { citation?: { position: number }[] }[]
    return entity?.citation?.map(({ position }) => position) ?? []
  })
  expect(claims.flat()).toEqual([1, 2])
  expect(posts.map(({ activity }) => 'channelData' in activity)).toEqual([
    ...posts.slice(1).map(() => false),
    true,
  ])
  // A page that is cited, and that the text does not refer to.
  expect(JSON.stringify(posts.at(-1))).toContain('[Page 3](https://docs.example.com/3)')
})

test('no more than twenty citations, no address that is not http, and code stays code over messages', () => {
  const many = Array.from({ length: 25 }, (_, at) => cite(at + 1))
  const text = many.map(({ index }) => `[${index}]`).join(' ')
  const [post] = renderForTeams({ markdown: text, citations: many, messageId: 'm' }, PLACE)
  const entities = (post?.activity['entities'] ?? []) as { citation: { appearance: object }[] }[]
  expect(entities[0]?.citation).toHaveLength(20)
  expect(post?.activity['text']).not.toContain('[21]')
  const [bad] = renderForTeams(
    { markdown: 'x [1]', citations: [cite(1, 'javascript:alert(1)')], messageId: 'm' },
    PLACE,
  )
  expect(JSON.stringify(bad)).not.toContain('javascript')
  const code = Array.from({ length: 1_000 }, (_, at) => `line ${at} of the code`).join('\n')
  const texts = textsOf(`\`\`\`sh\n${code}\n\`\`\``)
  expect(texts.length).toBeGreaterThan(1)
  for (const each of texts) expect(each).toMatch(/^```sh\n[\s\S]+\n```$/)
})
