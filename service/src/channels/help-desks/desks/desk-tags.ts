import type { DeskAct } from '../help-desk.ts'

/** The tags of what was done, where a help desk has tags: for its views and reports. */
export const DESK_TAGS: Record<DeskAct['do'], string> = {
  reply: 'citewell-answered',
  note: 'citewell-drafted',
  hand_over: 'citewell-escalated',
  mark: 'citewell-unanswered',
}
