/** What this browser remembers of a person's choices. A browser that may not store anything forgets them, and nothing else happens. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`citewell-${name}`)
  } catch {
    return null
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`citewell-${name}`, value)
  } catch {
    // Private windows may refuse it.
  }
}
