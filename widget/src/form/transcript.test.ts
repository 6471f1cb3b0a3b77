import { expect, test } from 'vitest'
import { transcriptOf } from './transcript.ts'

test('a hostile title or address stays one link in the ticket', () => {
  const citation = {
    index: 1,
    title: 'Keys](https://evil.example)\n![x',
    url: 'https://docs.example.com/a)![x](https://evil.example/p.png',
    documentId: '',
    chunkId: '',
    headingPath: [],
    excerpt: '',
  }
  const transcript = transcriptOf({ subject: '', body: 'Why?' }, { text: 'So.', citations: [citation] })
  expect(transcript).toBe(
    '**Question**\n\nWhy?\n\n**Answer**\n\nSo.\n\n[1] [Keys\\](https://evil.example) !\\[x](https://docs.example.com/a%29![x]%28https://evil.example/p.png)',
  )
})
