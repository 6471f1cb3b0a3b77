import { expect, test } from 'vitest'
import { renderBlocks } from './render-markdown.ts'
import { parseRst } from './rst.ts'

function read(rst: string) {
  const bytes = new TextEncoder().encode(rst)
  return parseRst({ mediaType: 'text/x-rst', bytes, url: 'https://docs.example.com/guide/install.rst' })
    .document
}

const rendered = (rst: string) => renderBlocks(read(rst).blocks)

test('titles nest by the order of their underlines, with the ids that Docutils gives them', () => {
  const document = read(
    '=====\nGuide\n=====\n\n1.2 Set up & run\n----------------\n\nText.\n\nDeeper\n~~~~~~\n\nx\n\n.. _own:\n\nBack\n----\n\ny',
  )
  expect(document.title).toBe('Guide')
  expect(document.blocks.filter((block) => block.kind === 'heading')).toEqual([
    { kind: 'heading', depth: 2, text: '1.2 Set up & run', anchor: 'set-up-amp-run' },
    { kind: 'heading', depth: 3, text: 'Deeper', anchor: 'deeper' },
    { kind: 'heading', depth: 2, text: 'Back', anchor: 'back' },
  ])
})

test('inline markup, roles and targets are read', () => {
  const rst = `*em* **strong** \`\`a *b\`\` :func:\`os.open\` :class:\`~a.b.C\` :ref:\`the title <label>\` :pep:\`8\` |name| a\\ b
\`Docs <https://d.example/x>\`_ and Site_ and \`the site\`__ https://e.example/.

.. _Site: https://s.example/
.. |name| replace:: Acme
__ https://anon.example/`
  expect(rendered(rst)).toBe(
    '*em* **strong** `a *b` `os.open()` `C` the title [PEP 8](https://peps.python.org/pep-0008/) Acme ab [Docs](https://d.example/x) and [Site](https://s.example/) and [the site](https://anon.example/) [https://e.example/](https://e.example/).',
  )
})

test('literal blocks, doctests and code keep their lines and language', () => {
  expect(
    rendered(
      'Like this::\n\n    if a:\n        b\n\nThen.\n\n>>> 1 + 1\n2\n\n.. code-block:: js\n   :caption: a.js\n\n   let a\n',
    ),
  ).toBe(
    'Like this:\n\n```\nif a:\n    b\n```\n\nThen.\n\n```pycon\n>>> 1 + 1\n2\n```\n\n**a.js**\n\n```js\nlet a\n```',
  )
})

test('lists keep nesting, and definitions, options and fields are distinguished', () => {
  expect(rendered('- a\n\n  - b\n  - c\n\n- d\n  goes on\n\n1. one\n#. two')).toBe(
    '- a\n  - b\n  - c\n- d goes on\n\n1. one\n2. two',
  )
  expect(rendered('term\n   What it is.\n\n-v, --verbose  Say more.\n\n:param int x: a number')).toBe(
    '**term**\n\nWhat it is.\n\n**`-v, --verbose`**\n\nSay more.\n\n**`x` (int):** a number',
  )
})

test('grid, simple, list and CSV tables are read', () => {
  const table = '| A | B |\n| --- | --- |\n| 1 | x y |'
  expect(rendered('+---+-----+\n| A | B   |\n+===+=====+\n| 1 | x   |\n|   | y   |\n+---+-----+')).toBe(table)
  expect(rendered('=== ===\nA   B\n=== ===\n1   x\n    y\n=== ===')).toBe(table)
  expect(
    rendered('.. list-table::\n   :header-rows: 1\n\n   * - A\n     - B\n   * - 1\n     - x\n       y'),
  ).toBe(table)
  expect(rendered('.. csv-table::\n   :header: A, B\n\n   1, "x y"')).toBe(table)
})

test('admonitions, versions and tabs keep their text; directives for programs are left out', () => {
  expect(
    rendered(
      '.. note:: Mind\n   this.\n\n.. versionadded:: 3.9\n   The *x*.\n\n.. toctree::\n   a\n   b\n\n.. a comment\n   on two lines\n\n.. tab:: npm\n\n   npm i\n',
    ),
  ).toBe('**Note**\n\nMind this.\n\nNew in version 3.9: The *x*.\n\n**npm**\n\nnpm i')
})

test('described objects become entries with the anchors that Sphinx gives them', () => {
  const { blocks } = read(
    '.. module:: os\n\n.. class:: Path(a, \\*b)\n\n   A path.\n\n   .. method:: open()\n\n      Opens.\n',
  )
  expect(blocks).toEqual([
    {
      kind: 'entry',
      term: '`Path(a, *b)`',
      anchor: 'os.Path',
      blocks: [
        { kind: 'paragraph', markdown: 'A path.' },
        {
          kind: 'entry',
          term: '`open()`',
          anchor: 'os.Path.open',
          blocks: [{ kind: 'paragraph', markdown: 'Opens.' }],
        },
      ],
    },
  ])
})
