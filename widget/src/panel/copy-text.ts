/** Puts a text into the clipboard. Returns whether it worked: pages without https have no clipboard, but an old command. */
export async function copyText(text: string, near: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.setAttribute('aria-hidden', 'true')
    area.className = 'unseen'
    const focused = (near.getRootNode() as ShadowRoot).activeElement as HTMLElement | null
    near.after(area)
    area.select()
    // oxlint-disable-next-line typescript/no-deprecated -- there is nothing else in a page without https
    const isCopied = document.execCommand('copy')
    area.remove()
    focused?.focus()
    return isCopied
  }
}
