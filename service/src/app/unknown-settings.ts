import { nearestWord } from './nearest-word.ts'
import { SETTING_NAMES } from './settings.ts'

/** Read by commands, by `npm run eval` and by `npm run bench`. */
const ELSEWHERE = [
  'CITEWELL_URL',
  'CITEWELL_TOKEN',
  'CITEWELL_EVAL_DIR',
  'CITEWELL_EVAL_KEPT',
  'CITEWELL_BENCH_DIR',
  'CITEWELL_BENCH_KEEP',
]

/** One line for each variable that looks like a setting and is none: most are misspelt, and would otherwise silently do nothing. */
export function unknownSettings(given: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...SETTING_NAMES, ...ELSEWHERE]
  return Object.keys(given)
    .filter((name) => name.startsWith('CITEWELL_') && !known.includes(name))
    .map((name) => {
      const meant = nearestWord(name, known)
      return `${name} is no setting, and does nothing.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
    })
}
