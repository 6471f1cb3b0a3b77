import type { CitedPassage } from './cited-parts.ts'

/** Signs that Markdown, or a citation's brackets, would make something else of. */
const SIGNS = /[[\]\\`<>*_~|()]/g

/** What means something in a pattern. Nothing else may be escaped there, a space least of all. */
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g

const labelOf = ({ versionLabel }: Pick<CitedPassage, 'versionLabel'>) =>
  versionLabel?.replaceAll(/\s+/g, ' ').trim() || undefined

/** Whether a text names a version already, as words of its own: "v4" is not in "v4.1" nor in "dev4". */
function names(text: string, label: string): boolean {
  const words = label.toLowerCase().replaceAll(SYNTAX, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{L}\p{N}.])${words}(?![\p{L}\p{N}]|\.\p{N})`, 'u').test(
    text.toLowerCase(),
  )
}

/**
 * A page's title with the version that it speaks of.
 *
 * @example
 * titleOf({ title: 'Config options', versionLabel: 'v4' }) // 'Config options (v4)'
 */
export function titleOf(passage: Pick<CitedPassage, 'title' | 'versionLabel'>): string {
  const label = labelOf(passage)
  return label === undefined || names(passage.title, label) ? passage.title : `${passage.title} (${label})`
}

/**
 * Names the versions that some passages speak of, for the introduction of an answer; undefined where no source has one.
 * Safe within Markdown.
 *
 * @example
 * versionSaid([{ versionLabel: 'v4' }, { versionLabel: 'v5' }]) // 'v4 and v5'
 */
export function versionSaid(passages: readonly Pick<CitedPassage, 'versionLabel'>[]): string | undefined {
  const labels = passages.flatMap((passage) => labelOf(passage)?.replaceAll(SIGNS, ' ').trim() || [])
  const different = [...new Set(labels)]
  const last = different.pop()
  if (last === undefined) return undefined
  return different.length === 0 ? last : `${different.join(', ')} and ${last}`
}
