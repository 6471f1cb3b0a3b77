/** What a person reads of a mail: as plain text, as HTML, or both. Untrusted. */
export interface ParsedMail {
  subject: string
  /** The name beside the address of its sender; empty: there is none. */
  sender: string
  text: string
  html: string
  /** What is attached to it, as far as the mail is whole. */
  files: MailFile[]
  /** It is longer than what is read of it. */
  isCut: boolean
  /** Nothing comes after its text: if what was given is only the beginning of a mail, it ends within the text. */
  endsInText: boolean
}

export interface MailFile {
  name: string
  bytes: number
}
