/** Milliseconds that a browser gets to begin a download, before its text is let go. */
const KEPT_MS = 60_000

/** Saves a text as a file of this person. */
export function downloadText({ name, type, text }: { name: string; type: string; text: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
