import type { OpenRequest } from '../panel/panel-handle.ts'

/** Elements with `data-citewell-open`: `ask` or nothing, `search`, or a question. */
const TRIGGER = '[data-citewell-open]'

/** Listens to presses of triggers; and to what comes before a press, of triggers and of the launcher. */
export function listenToTriggers(
  /** Returns whether the widget can open: if not, a link that is a trigger stays a link. */
  onPress: (request: OpenRequest) => boolean,
  onHint: () => void,
  signal: AbortSignal,
): void {
  const hear = (type: string, selector: string, run: (found: HTMLElement, event: Event) => void) =>
    document.addEventListener(
      type,
      (event) => {
        const found = (event.target as Element).closest?.<HTMLElement>(selector)
        if (found && !event.defaultPrevented) run(found, event)
      },
      { signal },
    )
  hear('click', TRIGGER, ({ dataset: { citewellOpen: said = '' } }, event) => {
    const tab = said === 'search' ? said : 'ask'
    if (onPress({ tab, source: 'trigger', query: said === tab ? '' : said, submit: true }))
      event.preventDefault()
  })
  for (const hint of ['pointerover', 'focusin']) hear(hint, `${TRIGGER},citewell-widget`, onHint)
}
