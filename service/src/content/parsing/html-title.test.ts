import { expect, test } from 'vitest'
import { parseHtml } from './html.ts'

test.each([
  [
    'the heading, if the title only adds the site name',
    '<title>Install — Acme 2.0 docs</title><main><h1>Install<a class="headerlink" href="#i">¶</a></h1>',
    'Install',
  ],
  ['the heading, if it is longer', '<title>Index — Acme</title><main><h1>Index – U</h1>', 'Index – U'],
  [
    'the title, if the heading is the site name',
    '<title>16. The accept router</title><body><h1><a href="https://acme.example">Acme</a></h1><div id="content"><h2>Chapter 16</h2>',
    '16. The accept router',
  ],
  [
    'the title, if all headings are chapters',
    '<title>ALTER TABLE</title><body><h1>1. Overview</h1><p>x</p><h1>2. Rename</h1>',
    'ALTER TABLE',
  ],
  [
    'the title, if the only heading is a chapter',
    '<title>Floating Point</title><body><h1>1. How It Works</h1>',
    'Floating Point',
  ],
  [
    'the heading, if the title is only the site name',
    '<title>Acme</title><main><h1>Deploy to production</h1>',
    'Deploy to production',
  ],
  [
    'the first heading, if the title begins with it',
    '<title>Variables - The Acme Book</title><main><h2>Variables</h2>',
    'Variables',
  ],
  [
    'the title without the declared site name',
    '<title>Deploying: Acme</title><meta property="og:site_name" content="Acme"><main><p>x</p>',
    'Deploying',
  ],
  [
    'the whole title, if no part of it is known to be the site name',
    '<title>Client - server setup</title><main><p>x</p>',
    'Client - server setup',
  ],
  ['the last segment of the address, if the page has no title', '<main><p>x</p>', 'set up'],
])('the title is %s', (_, html, title) => {
  const bytes = new TextEncoder().encode(html)
  expect(
    parseHtml({ mediaType: 'text/html', bytes, url: 'https://a.example/b/set%20up.html' }).document.title,
  ).toBe(title)
})

test('the heading used as the title is not repeated in the text, other headings are kept', () => {
  const bytes = new TextEncoder().encode('<title>A | Acme</title><main><h1>A</h1><p>x</p><h1>B</h1>')
  const { blocks } = parseHtml({ mediaType: 'text/html', bytes, url: 'https://a.example/' }).document
  expect(blocks).toEqual([
    { kind: 'paragraph', markdown: 'x' },
    { kind: 'heading', depth: 1, text: 'B', anchor: undefined },
  ])
})
