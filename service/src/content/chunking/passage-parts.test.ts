import { expect, test } from 'vitest'
import { passageParts } from './chunking.ts'

const partsOf = (text: string) => passageParts('Server guide', { headingPath: ['Stopping'], text }, 'en')

test('a passage is divided into its topic and its sentences, without markup and addresses', () => {
  const text =
    'Press [stop](https://docs.example.com/stop) to end the whole server for good. It waits for **running** answers to finish.'
  expect(partsOf(text)).toEqual([
    'Server guide › Stopping',
    'Press stop to end the whole server for good.',
    'It waits for running answers to finish.',
  ])
})

test('fragments are joined to the sentence before them, and no text is lost', () => {
  const text = 'Note. This is how the server is stopped on every machine. Always.'
  const [, ...sentences] = partsOf(text)
  expect(sentences).toEqual([text])
  expect(partsOf('One line without an end\n\nand another, long enough to stand alone')).toHaveLength(2)
})
