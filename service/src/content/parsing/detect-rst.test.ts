import { expect, test } from 'vitest'
import { parseDocument } from './parse-document.ts'
import { looksLikeRst } from './detect-rst.ts'

const RST = `Connections
~~~~~~~~~~~

Use the :ref:\`connection page <connections>\` to add one.

.. code-block:: bash

    airflow connections add my_db

.. note::
    Names are unique.
`

test('reStructuredText that was sent as Markdown is read as reStructuredText', async () => {
  expect(looksLikeRst(RST)).toBe(true)
  const input = { mediaType: 'text/markdown', url: 'https://docs.example.com/connections', charset: 'utf-8' }
  const { document } = await parseDocument({ ...input, bytes: Buffer.from(RST) })
  expect(document.blocks).toContainEqual({
    kind: 'code',
    language: 'bash',
    code: 'airflow connections add my_db',
  })
  expect(JSON.stringify(document.blocks)).not.toMatch(/~~~|code-block|:ref:/)
})

test.each([
  [
    'a page that quotes reStructuredText',
    '# Docs\n\nWrite:\n\n```rst\n.. note::\n    :ref:`x`\n.. code-block:: sh\n```\n',
  ],
  [
    'Markdown with a directive or two',
    '# Title\n\n[link](https://example.com)\n\n.. note:: once\n\n## More\n',
  ],
  ['plain prose', 'One sentence. Another: `code` and more.\n\nA second paragraph.\n'],
  ['Markdown with underlined titles', 'Title\n=====\n\nText.\n\nPart\n----\n\nText.\n'],
])('%s is read as Markdown', (_what, text) => {
  expect(looksLikeRst(text)).toBe(false)
})
