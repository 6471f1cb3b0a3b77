import { expect, test } from 'vitest'
import { judgeCitation } from './judge-citation.ts'
import { readPage } from './read-page.ts'

const PAGE = readPage(`<html><body><nav><a href="#errors">Errors</a></nav><main>
  <section id="errors"><h1>Errors<a href="#errors">¶</a></h1><p>All errors of the language are classes.</p>
    <span id="index-error"></span><h2 id="concrete">Concrete errors</h2>
    <dl><dt id="IndexError"><code>IndexError</code></dt><dd><p>A subscript is out of the range of a sequence.</p></dd>
      <dt id="KeyError"><code>KeyError</code></dt><dd><p>A key is not found in a mapping.</p></dd></dl>
    <p>What follows the entries belongs to the section.</p></section></main></body></html>`)

const judge = (fragment: string, excerpt: string) =>
  judgeCitation({ url: `https://docs.test/errors.html${fragment}`, excerpt }, PAGE)

const KEY = 'A key is not found in a mapping.'
const RIGHT = { exists: true, isFound: true, isNearest: true, isOwner: true }

test('a citation at the entry or heading directly above its text is correct, by any of its ids', () => {
  expect(judge('#KeyError', KEY)).toMatchObject(RIGHT)
  expect(judge('#errors', 'All errors of the language are classes.')).toMatchObject(RIGHT)
})

test.for([
  ['#IndexError', 'the previous entry'],
  ['#concrete', 'the heading of all entries'],
  ['', 'only the page'],
])('a citation at %s (%s) is not correct', ([fragment = '']) => {
  expect(judge(fragment, KEY)).toMatchObject({ isNearest: false, expected: ['KeyError'] })
})

test('a missing anchor and missing text are reported', () => {
  expect(judge('#LookupError', KEY)).toMatchObject({ exists: false, isNearest: false })
  expect(judge('#KeyError', 'Something else altogether was said.')).toMatchObject({
    isFound: false,
    isNearest: false,
  })
})

test('after the last entry the nearest opening and the owner differ', () => {
  const text = 'What follows the entries belongs to the section.'
  expect(judge('#KeyError', text)).toMatchObject({ isNearest: true, isOwner: false })
  expect(judge('#concrete', text)).toMatchObject({ isNearest: false, isOwner: true })
})

test('words of a text fragment must occur on the page, in order', () => {
  expect(judge('#KeyError:~:text=A%20key,mapping.', KEY).isMarkable).toBe(true)
  expect(judge('#KeyError:~:text=in%20a%20mapping,A%20key', KEY).isMarkable).toBe(false)
  expect(judge('#KeyError', KEY).isMarkable).toBeUndefined()
})
