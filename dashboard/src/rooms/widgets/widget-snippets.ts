import type { Snippet } from '../../ui/snippets.tsx'

interface Given {
  /** Address of the service. */
  origin: string
  baseId: string
  widgetId: string
}

/** Attributes of the tag, in the order of the guide. */
const attributesOf = ({ baseId, widgetId }: Given, more: Record<string, string> = {}) => ({
  'data-knowledge-base-id': baseId,
  'data-widget-id': widgetId,
  ...more,
})

function html(given: Given): string {
  const attributes = Object.entries(attributesOf(given))
  return `<script async src="${given.origin}/widget.js"\n${attributes.map(([name, value]) => `        ${name}="${value}"`).join('\n')}></script>`
}

/** The attributes as the fields of an object in JavaScript. */
const fields = (attributes: Record<string, string>, indent: string): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${indent}'${name}': '${value}',`)
    .join('\n')

const docusaurus = (given: Given): string =>
  `scripts: [
  {
    src: '${given.origin}/widget.js',
    async: true,
${fields(attributesOf(given, { 'data-theme': 'page' }), '    ')}
  },
],`

const vitepress = (given: Given): string =>
  `head: [
  ['script', {
    async: '',
    src: '${given.origin}/widget.js',
${fields(attributesOf(given, { 'data-theme': 'page' }), '    ')}
  }],
],`

const mkdocs = ({ origin, baseId, widgetId }: Given): string =>
  `{% extends "base.html" %}
{% block extrahead %}
  <script async src="${origin}/widget.js"
          data-knowledge-base-id="${baseId}"
          data-widget-id="${widgetId}" data-theme="page"></script>
{% endblock %}`

const next = ({ origin, baseId, widgetId }: Given): string =>
  `import Script from 'next/script'

<Script
  src="${origin}/widget.js"
  strategy="afterInteractive"
  data-knowledge-base-id="${baseId}"
  data-widget-id="${widgetId}"
/>`

const react = ({ origin, baseId, widgetId }: Given): string =>
  `import { useEffect } from 'react'

export function AskButton() {
  useEffect(() => {
    const tag = document.createElement('script')
    tag.src = '${origin}/widget.js'
    tag.async = true
    tag.dataset.knowledgeBaseId = '${baseId}'
    tag.dataset.widgetId = '${widgetId}'
    document.head.append(tag)
    return () => {
      tag.remove()
      window.Citewell?.('destroy')
    }
  }, [])
  return null
}`

/** How a widget is put on a site, for each of the tools that make sites. */
export const widgetSnippets = (given: Given): Snippet[] => [
  { name: 'HTML', place: 'Anywhere in your pages, such as before </body>', text: html(given) },
  { name: 'Docusaurus', place: 'docusaurus.config.js', text: docusaurus(given) },
  { name: 'VitePress', place: '.vitepress/config.ts', text: vitepress(given) },
  {
    name: 'MkDocs',
    place: 'overrides/main.html',
    text: mkdocs(given),
    note: 'mkdocs.yml names the folder: theme: {name: material, custom_dir: overrides}.',
  },
  { name: 'Next.js', place: 'app/layout.tsx', text: next(given) },
  { name: 'React', place: 'ask-button.tsx', text: react(given) },
  {
    name: 'Content Security Policy',
    place: 'If your pages have one',
    text: `script-src ${given.origin}; connect-src ${given.origin}`,
  },
]
