export type Theme = 'light' | 'dark'

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

/** Whether the page itself is light or dark: by what documentation generators set, then by its colour scheme. */
function themeOfPage(): Theme {
  const places = [document.documentElement, document.body]
  const said = places
    .flatMap(({ dataset, className }) => [
      dataset['theme'],
      dataset['mdColorScheme'],
      dataset['bsTheme'],
      className,
    ])
    .join(' ')
  const scheme = getComputedStyle(document.documentElement).colorScheme
  if (/\b(dark|slate)\b/.test(said)) return 'dark'
  return !/\blight\b|\bdefault\b/.test(said) &&
    scheme.includes('dark') &&
    (darkSystem.matches || !scheme.includes('light'))
    ? 'dark'
    : 'light'
}

/** The theme for a `data-theme` of `light`, `dark`, `page`, or else that of the system. */
export function themeOf(said: string | undefined): Theme {
  if (said === 'light' || said === 'dark') return said
  if (said === 'page') return themeOfPage()
  return darkSystem.matches ? 'dark' : 'light'
}

/** Calls back when the system or the page may have changed its theme. */
export function watchTheme(onChange: () => void, signal: AbortSignal): void {
  darkSystem.addEventListener('change', onChange, { signal })
  const observer = new MutationObserver(onChange)
  for (const element of [document.documentElement, document.body])
    observer.observe(element, { attributes: true })
  signal.addEventListener('abort', () => observer.disconnect())
}
