import GithubSlugger from 'github-slugger'
import type { Element, ElementContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import type { Code, Heading, Html, Nodes, Paragraph, Parents, Root, Yaml } from 'mdast'
import { toHast, type State } from 'mdast-util-to-hast'
import { toString as textOf } from 'mdast-util-to-string'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { SKIP, visit, type VisitorResult } from 'unist-util-visit'
import { boundMarkdown } from './bound-markdown.ts'
import { rewriteDialects } from './markdown-dialects.ts'

/** Node types added by remark-mdx. */
type MdxComponent = Extract<Nodes, { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }>

/** Markdown as HTML, with its metadata. */
export interface MarkdownHtml {
  html: string
  /** The unparsed YAML between the lines `---` at the top. */
  frontMatter: string | undefined
  /** Text of the first heading of depth one. */
  heading: string | undefined
}

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter)
const mdx = unified().use(remarkParse).use(remarkMdx).use(remarkGfm).use(remarkFrontmatter)

/** @param slugger Names the headings; several parts of one document share one, so that names are unique. */
export function markdownHtml(text: string, slugger = new GithubSlugger()): MarkdownHtml {
  return write(markdown.parse(rewriteDialects(boundMarkdown(text))), slugger)
}

/** Reads MDX, with its components as elements; invalid MDX is read as Markdown. */
export function mdxHtml(text: string): MarkdownHtml {
  // Docusaurus allows `{#id}` on headings and HTML comments, neither of which is valid MDX.
  const allowed = withoutComments(rewriteDialects(boundMarkdown(text))).replaceAll(
    /^(#{1,6} .*?)\{(#[\w-]+)\}\s*$/gm,
    String.raw`$1\{$2\}`,
  )

  try {
    return write(mdx.parse(allowed), new GithubSlugger())
  } catch {
    return markdownHtml(text.replaceAll(/^(?:import|export)\s.+$/gm, ''))
  }
}

function write(root: Root, slugger: GithubSlugger): MarkdownHtml {
  let heading: string | undefined
  visit(root, (node, index, parent): VisitorResult => {
    if (node.type === 'heading') {
      nameHeading(node, slugger)
      if (node.depth === 1) heading ??= headingText(node)
    } else if (node.type === 'html') {
      node.value = closeComponents(node.value)
    } else if (node.type === 'code' && parent !== undefined && index !== undefined) {
      return labelCode(node, index, parent)
    }
    return undefined
  })
  const yaml = root.children.find((node): node is Yaml => node.type === 'yaml')
  const hast = toHast(root, {
    allowDangerousHtml: true,
    clobberPrefix: '',
    handlers: {
      mdxJsxFlowElement: writeComponent,
      mdxJsxTextElement: writeComponent,
      mdxjsEsm: () => undefined,
      mdxFlowExpression: () => undefined,
      mdxTextExpression: writeExpression,
    },
  })
  return { html: toHtml(hast, { allowDangerousHtml: true }), frontMatter: yaml?.value, heading }
}

function headingText(heading: Heading): string {
  return textOf(heading, { includeHtml: false, includeImageAlt: false }).trim()
}

/** `## Install {#setup}` has the id `setup`; a heading without an explicit id gets the one that GitHub would give it. */
function nameHeading(heading: Heading, slugger: GithubSlugger) {
  const last = heading.children.at(-1)
  const named = last?.type === 'text' ? nameAtEnd(last.value) : undefined
  if (last?.type === 'text' && named !== undefined) last.value = named.text
  const id = named?.id ?? slugger.slug(headingText(heading))
  heading.data = { ...heading.data, hProperties: { id } }
}

function nameAtEnd(written: string): { text: string; id: string } | undefined {
  const whole = written.trimEnd()
  const open = whole.endsWith('}') ? whole.lastIndexOf('{') : -1
  const id = open < 0 ? undefined : /^\s*#([\w:.-]+)/.exec(whole.slice(open + 1))?.[1]
  return id === undefined ? undefined : { text: whole.slice(0, open).trimEnd(), id }
}

function withoutComments(text: string): string {
  let kept = ''
  for (let at = 0; ;) {
    const open = text.indexOf('<!--', at)
    const close = open < 0 ? -1 : text.indexOf('-->', open)
    if (close < 0) return kept + text.slice(at)
    kept += text.slice(at, open)
    at = close + 3
  }
}

/** A fence's title (`js [vite.config.js]`, `title="a.ts"`) is written above the code. */
function labelCode(code: Code, index: number, parent: Parents): VisitorResult {
  const info = `${code.lang ?? ''} ${code.meta ?? ''}`
  const label = /\[([^[\]]+)\]/.exec(info)?.[1] ?? /(?:title|filename)=["']([^"']+)["']/.exec(info)?.[1]
  code.lang = /^[\w+#.-]+/.exec(code.lang ?? '')?.[0] ?? null
  if (label === undefined) return undefined
  const title: Paragraph = {
    type: 'paragraph',
    children: [{ type: 'strong', children: [{ type: 'text', value: label }] }],
  }
  parent.children.splice(index, 0, title)
  return [SKIP, index + 2]
}

/** HTML has no `<Badge />`: the tag would stay open and swallow what follows. */
function closeComponents(html: Html['value']): string {
  // A `<template>` slot of a Vue component is text; a template of HTML is not.
  const shown = html.replaceAll(/<(\/?)template\b/g, '<$1div')
  return shown.replaceAll(
    /<([A-Z][\w.]*|[a-z]+-[\w-]*)((?:\s[^<>]*?)?)\/>/g,
    (_, name: string, attributes: string) => {
      const text = /\s(?:text|label)="([^"]*)"/.exec(attributes)?.[1] ?? ''
      return `<${name}>${text}</${name}>`
    },
  )
}

function writeComponent(state: State, node: MdxComponent): Element | ElementContent[] {
  const children = state.all(node)
  if (node.name === null) return children
  const properties: Element['properties'] = {}
  for (const each of node.attributes) {
    if (each.type === 'mdxJsxAttribute' && typeof each.value === 'string')
      properties[each.name === 'className' ? 'class' : each.name] = each.value
  }
  return { type: 'element', tagName: node.name.toLowerCase().replaceAll('.', '-'), properties, children }
}

/** `{'text'}` is text; anything else would have to be executed. */
function writeExpression(_: State, node: { value: string }): ElementContent | undefined {
  const written = node.value.trim()
  const [quote = ''] = written
  const isText = /^["'`][^"'`$]*["'`]$/.test(written) && written.endsWith(quote)
  const text = isText ? written.slice(1, -1) : undefined
  return text === undefined ? undefined : { type: 'text', value: text }
}
