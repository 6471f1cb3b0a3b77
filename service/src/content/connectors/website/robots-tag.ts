import { ROBOTS_NAME } from './robots-rules.ts'

/**
 * Parses the header `X-Robots-Tag`. Rules for other robots (`googlebot: noindex`) are ignored.
 *
 * @example
 * readRobotsTag('googlebot: nofollow, noindex') // { isNoindex: false, isNofollow: false }
 */
export function readRobotsTag(field: string | null): { isNoindex: boolean; isNofollow: boolean } {
  const rules = new Set<string>()
  let robot: string | undefined
  for (const part of (field ?? '').toLowerCase().split(',')) {
    const [name, rule] = /^\s*([\w-]+)\s*:\s*([\w-]+)\s*$/.exec(part)?.slice(1) ?? []
    // A robot name also applies to the rules after it, up to the next name; `unavailable_after: …` and `max-…: 3` are rules.
    const isRobot = name !== undefined && !/^(unavailable_after|max-.*)$/.test(name)
    if (isRobot) robot = name
    if (robot === undefined || robot === ROBOTS_NAME || robot === 'robots')
      rules.add(isRobot ? (rule ?? '') : part.trim())
  }
  return {
    isNoindex: rules.has('noindex') || rules.has('none'),
    isNofollow: rules.has('nofollow') || rules.has('none'),
  }
}
