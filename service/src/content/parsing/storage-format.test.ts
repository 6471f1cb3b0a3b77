import { expect, test } from 'vitest'
import { storageToHtml } from './storage-format.ts'

test('links within links take no longer than their text, and half a character ends nothing', () => {
  expect(html('<ac:link><ri:page ri:content-title="a\ud800"/></ac:link>')).toContain(
    '/display/DOCS/a%EF%BF%BD"',
  )
  expect(html(`${'<ac:link>'.repeat(60)}deep`)).toBe('deep')
})

const html = (storage: string) => storageToHtml(storage, { site: 'https://acme.example/wiki', space: 'DOCS' })

test.each([
  [
    '<p>A&nbsp;b &rarr; <strong>c</strong><br/>d<span/>e</p>',
    '<p>A\u00a0b → <strong>c</strong><br>d<span></span>e</p>',
  ],
  [
    '<ac:structured-macro ac:name="code"><ac:parameter ac:name="title">Run</ac:parameter><ac:parameter ac:name="language">bash</ac:parameter><ac:plain-text-body><![CDATA[if [ 1 <2 ]]]]><![CDATA[> && x]]></ac:plain-text-body></ac:structured-macro>',
    '<p><strong>Run</strong></p><pre>\n<code class="language-bash">if [ 1 &lt;2 ]]&gt; &amp;&amp; x</code></pre>',
  ],
  [
    '<ac:structured-macro ac:name="warning"><ac:parameter ac:name="title">Stop</ac:parameter><ac:rich-text-body><p>Not yet.</p></ac:rich-text-body></ac:structured-macro>',
    '<blockquote><p><strong>Stop</strong></p><p>Not yet.</p></blockquote>',
  ],
  [
    '<ac:structured-macro ac:name="hologram"><ac:parameter ac:name="beam">7</ac:parameter><ac:rich-text-body><p>Kept.</p></ac:rich-text-body></ac:structured-macro>',
    '<p>Kept.</p>',
  ],
  ['<constructor>Kept.</constructor>', '<constructor>Kept.</constructor>'],
  [
    '<ac:structured-macro ac:name="mermaid"><ac:plain-text-body><![CDATA[a --> b]]></ac:plain-text-body></ac:structured-macro>',
    '<pre>a --&gt; b</pre>',
  ],
  [
    '<ac:structured-macro ac:name="children"/><ac:structured-macro ac:name="status"><ac:parameter ac:name="title">DONE</ac:parameter></ac:structured-macro>',
    'DONE',
  ],
  [
    '<p>See <ac:link><ri:page ri:content-title="Set up" ri:space-key="HELP"/></ac:link>, <ac:link><ri:page ri:content-title="Keys"/><ac:plain-text-link-body><![CDATA[here]]></ac:plain-text-link-body></ac:link>, <ac:link><ri:user ri:account-id="1"/></ac:link> <a href="javascript:alert(1)">x</a></p>',
    '<p>See <a href="https://acme.example/wiki/display/HELP/Set+up">Set up</a>, <a href="https://acme.example/wiki/display/DOCS/Keys">here</a>, @someone x</p>',
  ],
  [
    '<ac:task-list><ac:task><ac:task-id>9</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Pack</ac:task-body></ac:task><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>Ship</ac:task-body></ac:task></ac:task-list>',
    '<ul><li>☑ Pack</li><li>☐ Ship</li></ul>',
  ],
  [
    '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">note</ac:adf-attribute><ac:adf-content><p>Once.</p></ac:adf-content></ac:adf-node><ac:adf-fallback><p>Once.</p></ac:adf-fallback></ac:adf-extension>',
    '<blockquote><p>Once.</p></blockquote>',
  ],
  [
    '<p>Due <time datetime="2026-11-22"/></p><script>x</script><ac:image><ri:attachment ri:filename="a.png"/></ac:image>',
    '<p>Due 2026-11-22</p>',
  ],
  [
    '<table class="wide"><tbody><tr><td colspan="2" style="color:red"><p>Wide</p></td></tr></tbody></table>',
    '<table><tbody><tr><td colspan="2"><p>Wide</p></td></tr></tbody></table>',
  ],
])('storage format %#', (storage, expected) => {
  expect(html(storage)).toBe(expected)
})

test('bodies that are nested too deep, or end in the middle, do no harm', () => {
  expect(() => html('<div>'.repeat(600))).toThrow('nested more than 512')
  expect(html('<p>a<![CDATA[b')).toBe('<p>ab</p>')
  expect(html('<ac:link><![CDATA['.repeat(5_000))).toContain('ac:link')
})
