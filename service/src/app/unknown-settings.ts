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

const PREFIX = 'CITEWELL_'

/** Names are compared by what tells them apart. Some settings, as `PORT`, have no prefix. */
const withoutPrefix = (name: string) => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name)

/** One line for each variable that looks like a setting and is none: most are misspelt, and would otherwise silently do nothing. */
export function unknownSettings(given: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...SETTING_NAMES, ...ELSEWHERE]
  const byShortName = new Map(known.map((name) => [withoutPrefix(name), name]))
  return Object.keys(given)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .map((name) => {
      const nearest = nearestWord(withoutPrefix(name), [...byShortName.keys()])
      const meant = nearest === undefined ? undefined : byShortName.get(nearest)
      return `${name} is no setting, and does nothing.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
    })
}
