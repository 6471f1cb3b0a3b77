/** Kinds of input that take no text, so that letters mean nothing to them. */
const WITHOUT_TEXT = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
])

/** Whether keys that are pressed there are text, or choose something. */
export function isTypingField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type)
  return ['combobox', 'listbox', 'menu', 'menuitem', 'option', 'searchbox', 'textbox'].includes(
    target.getAttribute('role') ?? '',
  )
}
