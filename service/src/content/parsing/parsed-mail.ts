/** What a person reads of a mail: as plain text, as HTML, or both. Untrusted. */
export interface ParsedMail {
  subject: string
  /** The name beside the address of its sender; empty: there is none. */
  sender: string
  text: string
  html: string
  /** What is attached to it, as far as the mail is whole. */
  files: MailFile[]
}

export interface MailFile {
  name: string
  bytes: number
}
