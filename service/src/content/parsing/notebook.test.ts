import { expect, test } from 'vitest'
import { parseNotebook } from './notebook.ts'
import { renderBlocks } from './render-markdown.ts'

function read(notebook: unknown) {
  const bytes = new TextEncoder().encode(typeof notebook === 'string' ? notebook : JSON.stringify(notebook))
  return parseNotebook({
    mediaType: 'application/x-ipynb+json',
    bytes,
    url: 'https://docs.example.com/n/demo.ipynb',
  }).document
}

test('a notebook is read as its Markdown, its code and the beginning of its outputs', () => {
  const document = read({
    metadata: { kernelspec: { language: 'julia' } },
    cells: [
      { cell_type: 'markdown', source: ['# Demo\n', '\n', 'Text with [a link](./b.ipynb).'] },
      {
        cell_type: 'code',
        source: 'print(1)\n',
        outputs: [{ output_type: 'stream', text: ['\u001B[31m1\u001B[0m\n'] }],
      },
      {
        cell_type: 'code',
        source: 'frame',
        outputs: [
          {
            data: {
              'text/html': '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
              'text/plain': 'no',
            },
          },
        ],
      },
      {
        cell_type: 'code',
        source: 'long',
        outputs: [{ text: Array.from({ length: 60 }, (_, line) => `${line}\n`) }],
      },
      { cell_type: 'raw', source: 'no' },
    ],
  })
  expect(document.title).toBe('Demo')
  expect(renderBlocks(document.blocks.slice(0, 5))).toBe(
    'Text with [a link](https://docs.example.com/n/b.ipynb).\n\n```julia\nprint(1)\n```\n\n```\n1\n```\n\n```julia\nframe\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
  )
  expect(document.blocks.at(-1)).toMatchObject({
    kind: 'code',
    code: expect.stringMatching(/^0\n1\n[\s\S]*\n49\n…$/),
  })
  expect(document.leftOut).toEqual([
    'Of the output of one cell the first 50 lines are read, and 5,000 characters.',
  ])
})

test('notebooks of format 3 are read, and other JSON is refused', () => {
  expect(
    read({
      worksheets: [
        {
          cells: [
            { cell_type: 'heading', level: 1, source: 'Old' },
            { cell_type: 'code', input: 'x' },
          ],
        },
      ],
    }).title,
  ).toBe('Old')
  expect(() => read({ a: 1 })).toThrow('not a Jupyter notebook')
  expect(() => read('{"cells": [')).toThrow('not a Jupyter notebook')
})
