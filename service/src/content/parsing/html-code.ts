import { attribute, childrenOf, classesOf, findElement, isElement, isText } from './html-tree.ts'
import type { HtmlElement, HtmlNode } from './html-tree.ts'

const NUMBERS = new Set(
  (
    'linenos lineno linenodiv linenumber line-number line-numbers line-numbers-rows line-numbers-wrapper ln lnt gutter ' +
    'rouge-gutter lntd-gutter react-syntax-highlighter-line-number copybtn copy-button'
  ).split(' '),
)
const OWN_LINE = new Set(['div', 'li', 'p', 'tr'])

/** Text of a `<pre>`: without line numbers, with prompts, and with one line per element if lines are laid out as elements. */
export function codeOf(pre: HtmlNode): string {
  return collect(pre)
    .replaceAll('\r\n', '\n')
    .replaceAll('\u00A0', ' ')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}

function collect(node: HtmlNode): string {
  let code = ''
  for (const child of childrenOf(node)) {
    if (isText(child)) code += child.value
    if (!isElement(child)) continue
    if (child.tagName === 'br') code += '\n'
    if (child.tagName === 'button' || child.tagName === 'style' || isLineNumber(child)) continue
    const inner = collect(child)
    code += inner
    if (OWN_LINE.has(child.tagName) && !inner.endsWith('\n')) code += '\n'
  }
  return code
}

function isLineNumber(element: HtmlElement): boolean {
  if (element.attrs.length === 0) return false
  return classesOf(element).some((name) => NUMBERS.has(name)) && element.childNodes.length < 500
}

const LANGUAGE_CLASS = /^(?:language|lang|highlight|source|brush|code|sourceCode)[-:]([\w+#.-]+)$/
const NO_LANGUAGE = new Set(
  'default none text plaintext plain txt notranslate nohighlight no-highlight literal source wrapper block'.split(
    ' ',
  ),
)
const SPELLINGS: Record<string, string> = {
  python3: 'python',
  py3: 'python',
  shellsession: 'console',
  golang: 'go',
}

/** ```` ```language-bash ````: some write the class that the fence gets. */
const withoutPrefix = (language: string) => language.replace(/^(?:lang|language)-(?=.)/, '')

/** Language of a code block, from the classes and data attributes of it and of the three elements around it. */
export function languageOf(pre: HtmlElement): string | undefined {
  const code = findElement(pre, (element) => element.tagName === 'code')
  const around: (HtmlElement | undefined)[] = [code, pre]
  let parent: HtmlNode | null = pre.parentNode
  while (parent !== null && isElement(parent) && around.length < 5) {
    around.push(parent)
    parent = parent.parentNode
  }
  for (const element of around) {
    const declared = element && declaredLanguage(element)
    const language = declared && withoutPrefix(declared)
    if (language !== undefined)
      return NO_LANGUAGE.has(language) ? undefined : (SPELLINGS[language] ?? language)
  }
  return undefined
}

function declaredLanguage(element: HtmlElement): string | undefined {
  if (element.attrs.length === 0) return undefined
  const named = attribute(element, 'data-lang') ?? attribute(element, 'data-language')
  if (named !== undefined && /^[\w+#.-]+$/.test(named)) return named.toLowerCase()
  const classes = classesOf(element)
  for (const name of classes) {
    const language = LANGUAGE_CLASS.exec(name)?.[1]
    if (language !== undefined) return language.toLowerCase()
  }
  // Pandoc and SyntaxHighlighter write the language next to another class name.
  const beside = classes.findIndex((name) => name === 'sourceCode' || name === 'brush:')
  return beside < 0 ? undefined : classes[beside + 1]?.replace(/;.*/, '').toLowerCase()
}
