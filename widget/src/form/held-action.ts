/**
 * Something that the reader did and that waits: it is done later, once, exactly as it would have been done. `repeat` does it again while
 * `isPassing` is true, so that whoever held it lets it through.
 */
export interface HeldAction {
  repeat: () => void
}

export interface HeldActionsDeps {
  /** The form that is held; it may be made again by the page at any time, so it is looked for at each event. */
  isForm: (target: EventTarget | null) => target is HTMLFormElement
  /** The form now: a page may have made it again while it was held. */
  currentForm: () => HTMLFormElement | undefined
  /** For a form of several steps: selects the control that is held in place of the submission. */
  askOn: string | undefined
  /** Told when something could be held. Returns whether it is. */
  onAction: (form: HTMLFormElement | undefined, held: HeldAction) => boolean
}

/** Targets that open another tab: it may be blocked when the press is long ago, so such a form is never held. */
const opensAnotherTab = (form: HTMLFormElement, submitter: HTMLElement | null): boolean => {
  const target = submitter?.getAttribute('formtarget') ?? form.getAttribute('target') ?? ''
  return !['', '_self', '_top', '_parent'].includes(target.toLowerCase())
}

export function closest(target: Element, selector: string): Element | undefined {
  try {
    return target.closest(selector) ?? undefined
  } catch {
    return undefined
  }
}

/** Submits as the reader did. A button that is gone or is not of the form any more is left out. */
function submit(form: HTMLFormElement, submitter: HTMLElement | null): void {
  try {
    form.requestSubmit(submitter)
  } catch {
    form.requestSubmit()
  }
}

/** Listens before every listener of the page, and holds what `onAction` wants held. */
export function holdActions({ isForm, currentForm, askOn, onAction }: HeldActionsDeps): () => void {
  let isPassing = false
  let due: ReturnType<typeof setTimeout> | undefined
  // In a task of its own: a form ignores `requestSubmit` while the event that was stopped is still dispatched, and whatever fails without
  // waiting for anything fails between two of its listeners.
  const passing = (act: () => void) => () => {
    due ??= setTimeout(() => {
      due = undefined
      isPassing = true
      try {
        act()
      } finally {
        isPassing = false
      }
    })
  }

  const stop = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  function onSubmit(event: SubmitEvent): void {
    if (isPassing || !event.isTrusted || event.defaultPrevented || !isForm(event.target)) return
    // A second press; the first goes through in a moment.
    if (due !== undefined) return stop(event)
    const { target: form, submitter } = event
    if (opensAnotherTab(form, submitter)) return
    const repeat = passing(() => submit(form.isConnected ? form : (currentForm() ?? form), submitter))
    if (onAction(form, { repeat })) stop(event)
  }

  function onClick(event: MouseEvent): void {
    if (isPassing || !event.isTrusted || event.defaultPrevented || !(event.target instanceof Element)) return
    const control = closest(event.target, askOn ?? '')
    if (!(control instanceof HTMLElement)) return
    if (due !== undefined) return stop(event)
    const form = 'form' in control && control.form instanceof HTMLFormElement ? control.form : undefined
    const now = () => (control.isConnected ? control : document.querySelector<HTMLElement>(askOn ?? ''))
    if (onAction(form, { repeat: passing(() => now()?.click()) })) stop(event)
  }

  const leaving = new AbortController()
  const first = { capture: true, signal: leaving.signal }
  if (askOn === undefined) window.addEventListener('submit', onSubmit, first)
  else window.addEventListener('click', onClick, first)
  return () => leaving.abort()
}
