import { expect, test } from 'vitest'
import { parseHtml } from './html.ts'

function signs(html: string) {
  const { page } = parseHtml({
    mediaType: 'text/html',
    bytes: new TextEncoder().encode(html),
    url: 'https://a.example/dir/p.html',
  })
  if (page === undefined) throw new Error('an HTML page has signs')
  return page
}

test('links are absolute, in document order, unique and without fragments, from the whole page', () => {
  const html = `<nav><a href="one.html#x">1</a></nav><main><a href="/two?q=1">2</a><a href="one.html">1</a>
    <a href="https://b.example/">3</a><a href="mailto:a@b.c">m</a><a href="javascript:x">j</a><a href="http://[bad">b</a>
    <a href="no.html" rel="external nofollow">n</a><map><area href="four.html"></map></main>`
  expect(signs(html).links).toEqual([
    'https://a.example/dir/one.html',
    'https://a.example/two?q=1',
    'https://b.example/',
    'https://a.example/dir/four.html',
  ])
})

test('the same page in another language is a link, a feed is none', () => {
  const html = `<link rel="alternate" hreflang="de" href="/de/p"><link rel="Alternate" hreflang="x-default" href="p.html#a">
    <link rel="alternate" type="application/rss+xml" href="/feed"><link rel="stylesheet" hreflang="de" href="/css">`
  expect(signs(html).links).toEqual(['https://a.example/de/p', 'https://a.example/dir/p.html'])
})

test('links are resolved against the base element', () => {
  expect(signs('<head><base href="/v2/"></head><a href="x.html">x</a>').links).toEqual([
    'https://a.example/v2/x.html',
  ])
})

test('canonical links, refreshes and robots directives of a page are read', () => {
  const page = signs(`<head><link rel="canonical" href="/p"><meta name="ROBOTS" content="noindex, follow">
    <meta http-equiv="refresh" content="0; url='next.html'"></head><iframe src="f.html"></iframe>`)
  expect(page).toMatchObject({
    canonical: 'https://a.example/p',
    noindex: true,
    nofollow: false,
    refresh: 'https://a.example/dir/next.html',
    frames: ['https://a.example/dir/f.html'],
  })
  expect(signs('<meta name="robots" content="none">')).toMatchObject({ noindex: true, nofollow: true })
  expect(signs('<meta name="Citewell " content="NOINDEX">')).toMatchObject({ noindex: true, nofollow: false })
  expect(signs('<meta name="citewell" content="nofollow">')).toMatchObject({ noindex: false, nofollow: true })
  expect(
    signs('<meta name="googlebot" content="none"><meta name="description" content="noindex">').noindex,
  ).toBe(false)
  expect(signs('<frameset><frame src="a.html"></frameset>').frames).toEqual(['https://a.example/dir/a.html'])
})

test('what a page was made with is read, short and without markup', () => {
  expect(signs('<meta name="Generator" content="Docusaurus v3.9.2">').generator).toBe('Docusaurus v3.9.2')
  expect(signs(`<meta name="generator" content="<b>${'x'.repeat(500)}">`).generator).toMatch(/^b x{50,60}$/)
  expect(signs('<meta name="generator" content=" "><meta name="other" content="y">').generator).toBe(
    undefined,
  )
})

test('only a page that depends on scripts looks empty without them', () => {
  expect(signs('<div id="root"></div><script src="app.js"></script>').looksEmptyWithoutScript).toBe(true)
  expect(
    signs('<body><noscript>Please enable JavaScript.</noscript><p></p><script>x</script>')
      .looksEmptyWithoutScript,
  ).toBe(true)
  expect(signs('<div id="root"></div>').looksEmptyWithoutScript).toBe(false)
  expect(signs(`<p>${'Enough text. '.repeat(30)}</p><script>x</script>`).looksEmptyWithoutScript).toBe(false)
  expect(signs('<h1>Moved</h1><p>See there.</p><script>x</script>').looksEmptyWithoutScript).toBe(false)
})
