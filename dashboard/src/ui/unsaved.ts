import { createContext } from 'react'

/** What a dialog knows of the forms in it. */
export interface UnsavedForms {
  /** A form says whether something is typed in it that is not saved; again when that changes, with false at its end. */
  report: (form: string, isUnsaved: boolean) => void
}

/** The dialog that a form is in; undefined: it is on the screen itself. */
export const UnsavedContext = createContext<UnsavedForms | undefined>(undefined)

/** What a control of a form says; undefined for buttons, and for switches without a name, which act at once. */
function saidBy(control: Element): string | boolean | undefined {
  if (control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement) return control.value
  if (!(control instanceof HTMLInputElement)) return undefined
  if (control.type !== 'checkbox' && control.type !== 'radio') return control.value
  return control.name === '' ? undefined : control.checked
}

/** All that is typed and chosen in a form, as one text. Of files their names. */
export const typedIn = (form: HTMLFormElement): string => JSON.stringify([...form.elements].map(saidBy))
