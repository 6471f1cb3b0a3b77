/** Puts a text into the clipboard. Returns whether it worked: a page without https has no clipboard, but an old command. */
export async function copyText(text: string, near: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text, near)
  }
}

/** @param near - where the focus may be: outside of an open dialog nothing can be selected */
function copyByCommand(text: string, near: Element): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('aria-hidden', 'true')
  area.className = 'visually-hidden'
  const focused = document.activeElement
  near.append(area)
  area.select()
  // oxlint-disable-next-line typescript/no-deprecated -- there is nothing else in a page without https
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
