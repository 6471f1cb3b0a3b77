import type { OpenRequest } from '../panel/panel-handle.ts'

/** Elements with `data-citewell-open`: `ask` or nothing, `search`, or a question. */
export function listenToTriggers(
  /** Returns whether the widget can open: if not, a link that is a trigger stays a link. */
  onPress: (request: OpenRequest) => boolean,
  onHint: () => void,
  signal: AbortSignal,
): void {
  const hear = (type: string, run: (said: string, event: Event) => void) =>
    document.addEventListener(
      type,
      (event) => {
        const trigger = (event.target as Element).closest?.<HTMLElement>('[data-citewell-open]')
        if (trigger && !event.defaultPrevented) run(trigger.dataset['citewellOpen'] ?? '', event)
      },
      { signal },
    )
  hear('click', (said, event) => {
    const tab = said === 'search' ? said : 'ask'
    const question = said === tab ? '' : said
    if (onPress({ tab, source: 'trigger', ...(question && { query: question, submit: true }) }))
      event.preventDefault()
  })
  hear('pointerover', onHint)
  hear('focusin', onHint)
}
