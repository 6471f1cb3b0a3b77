import { DAY_MS } from '../../../kernel/duration.ts'

/**
 * Part of a marker, for products whose times are cut: a change right after a reading would not show in the time of the item. Of a young item
 * it is another one each time, so that it is read until its time can no longer stay the same. One whose time has not come yet is young,
 * too: the clock of the product is ahead of ours.
 *
 * @param changedAt when the item was changed, as the product writes it
 * @param youngMs how long an item is young
 */
export function youngMark(changedAt: string, youngMs: number, now: number): number {
  const age = now - Date.parse(changedAt)
  return age > -DAY_MS && age < youngMs ? now : 0
}
