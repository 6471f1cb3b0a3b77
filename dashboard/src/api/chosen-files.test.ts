import { expect, test } from 'vitest'
import { isRead, requestsOf, sizeOf, whyNotSent } from './chosen-files.ts'

const MB = 1_048_576

/** A file that says it is so large; its bytes are not read here. */
const file = (name: string, size: number) =>
  Object.defineProperty(new File([], name), 'size', { value: size })

test('files are sent in requests of at most a hundred files and of what a request may have', () => {
  const small = Array.from({ length: 205 }, (_, index) => file(`${index}.md`, 10))
  expect(requestsOf(small).map(({ length }) => length)).toEqual([100, 100, 5])
  const large = [
    file('a.pdf', 60 * MB),
    file('b.pdf', 30 * MB),
    file('c.pdf', 20 * MB),
    file('d.pdf', 99 * MB),
  ]
  expect(requestsOf(large).map((files) => files.map(({ name }) => name))).toEqual([
    ['a.pdf', 'b.pdf'],
    ['c.pdf'],
    ['d.pdf'],
  ])
  expect(requestsOf([])).toEqual([])
})

test('a file that no request can have is named', () => {
  expect(whyNotSent([file('a.pdf', MB), file('scan.pdf', 100 * MB)])).toBe(
    '“scan.pdf” is larger than 99 MB, which is the most for one file.',
  )
  expect(whyNotSent([file('a.pdf', 99 * MB)])).toBeUndefined()
})

test('files of a type that is not read are told apart by their endings, as the service does', () => {
  const names = ['a.md', 'B.PDF', 'notes.v2.txt', 'film.mp4', 'T.XLSX', 'LICENSE', 'md', 'a.md.zip', '.text']
  expect(names.filter((name) => isRead(file(name, 1)))).toEqual([
    'a.md',
    'B.PDF',
    'notes.v2.txt',
    'T.XLSX',
    '.text',
  ])
  expect(whyNotSent([file('film.mp4', 200 * MB), file('a.md', 1)])).toBeUndefined()
  expect(whyNotSent([file('film.mp4', 1)])).toBe(
    'Files of this type are not read. Choose others: there is nothing to send.',
  )
  expect(whyNotSent([])).toBeUndefined()
})

test('what was chosen is told in kilobytes or megabytes', () => {
  expect([sizeOf([file('a.md', 1)]), sizeOf([file('a.pdf', 2.5 * MB), file('b.pdf', MB)])]).toEqual([
    '1 kB',
    '3.5 MB',
  ])
})
