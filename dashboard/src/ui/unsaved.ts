import { createContext } from 'react'

/** What a dialog knows of the forms in it. */
export interface UnsavedForms {
  /** A form says whether something is typed in it that is not saved; again when that changes, with false at its end. */
  report: (form: string, isUnsaved: boolean) => void
}

/** The dialog that a form is in; undefined: it is on the screen itself. */
export const UnsavedContext = createContext<UnsavedForms | undefined>(undefined)

/** All that is typed in a form, as one text. Of files their names. */
export const typedIn = (form: HTMLFormElement): string =>
  JSON.stringify(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
  )
