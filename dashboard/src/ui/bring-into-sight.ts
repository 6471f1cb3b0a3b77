/** A `ref` of what a press has opened: where the window is narrow, it is above or below what is being read. */
export function bringIntoSight(opened: Element | null): void {
  opened?.scrollIntoView({ block: 'nearest' })
}
