/** A directive, a target or a comment: `.. note::`, `.. _label:`, `.. code-block:: python`. */
const DIRECTIVE = /^ *\.\. (?:[\w:+-]+::|_[^\n:]+:|\|[^|\n]+\| \w+::)/
/** A role: `:ref:`, `:py:class:` before a backtick. */
// bounded: at most 400 characters
const ROLE = /:[a-z][\w:+-]*:`[^`]/
/** An external link: `` `words <address>`_ ``. */
// bounded: at most 400 characters
const LINK = /`[^`<]+<[^`>]+>`__?(?!\w)/
/** The line below a title, of characters that have no meaning in Markdown. */
const UNDERLINE = /^([~^"'*+#.:_`])\1{3,}$/

const ATX_HEADING = /^#{1,6} \S/
const FENCE = /^ *(?:```|~~~)/
// bounded: at most 400 characters
const INLINE_LINK = /\[[^\]\n]+\]\([^)\s]+\)/

/** Signs are searched for in this many characters from the beginning of a line. */
const MAX_LINE_LENGTH = 400

/** Number of signs required: a page of Markdown may quote a directive or two. */
const MIN_SIGNS = 3

/**
 * Whether text sent as Markdown is reStructuredText. Documentation written for Sphinx is often sent with the wrong type, and read as
 * Markdown it would lose its titles, code and tables. Signs within fenced code do not count.
 */
export function looksLikeRst(text: string): boolean {
  let rst = 0
  let markdown = 0
  let isCode = false
  let before = ''
  for (const whole of text.split('\n')) {
    const line = whole.slice(0, MAX_LINE_LENGTH)
    const isUnderline = UNDERLINE.test(line) && before !== '' && line.length >= before.length
    if (FENCE.test(line) && !isUnderline) {
      isCode = !isCode
      markdown += 1
    } else if (!isCode) {
      if (DIRECTIVE.test(line)) rst += 2
      if (ROLE.test(line) || LINK.test(line) || isUnderline) rst += 1
      if (ATX_HEADING.test(line) || INLINE_LINK.test(line)) markdown += 1
    }
    before = line.trim()
  }
  return rst >= MIN_SIGNS && rst > 2 * markdown
}
