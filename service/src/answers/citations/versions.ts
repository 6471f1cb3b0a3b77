import type { Passage } from '../../content/search/search.ts'

/** Characters with a meaning in Markdown or in a citation's brackets. */
const SIGNS = /[[\]\\`<>*_~|()]/g

/** Characters with a meaning in a regular expression. With the flag `u` no others may be escaped, in particular no space. */
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g

const labelOf = ({ versionLabel }: Pick<Passage, 'versionLabel'>) =>
  versionLabel?.replaceAll(/\s+/g, ' ').trim() || undefined

/** Whether a text already names a version as a separate word: "v4" is not in "v4.1" nor in "dev4". */
function names(text: string, label: string): boolean {
  const words = label.toLowerCase().replaceAll(SYNTAX, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{L}\p{N}.])${words}(?![\p{L}\p{N}]|\.\p{N})`, 'u').test(
    text.toLowerCase(),
  )
}

/**
 * A page's title with its version.
 *
 * @example
 * titleOf({ title: 'Config options', versionLabel: 'v4' }) // 'Config options (v4)'
 */
export function titleOf(passage: Pick<Passage, 'title' | 'versionLabel'>): string {
  const label = labelOf(passage)
  return label === undefined || names(passage.title, label) ? passage.title : `${passage.title} (${label})`
}

/**
 * Names the versions of some passages, for the introduction of an answer; undefined if no source has one.
 * Safe within Markdown.
 *
 * @example
 * joinVersions([{ versionLabel: 'v4' }, { versionLabel: 'v5' }]) // 'v4 and v5'
 */
export function joinVersions(passages: readonly Pick<Passage, 'versionLabel'>[]): string | undefined {
  const labels = passages.flatMap((passage) => labelOf(passage)?.replaceAll(SIGNS, ' ').trim() || [])
  const different = [...new Set(labels)]
  const last = different.pop()
  if (last === undefined) return undefined
  return different.length === 0 ? last : `${different.join(', ')} and ${last}`
}
