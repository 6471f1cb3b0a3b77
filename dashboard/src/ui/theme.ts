import { remember, remembered } from './remembered.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export function chosenTheme(): Theme {
  const stored = remembered('theme')
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export const restoreTheme = (): void => show(chosenTheme())

export function chooseTheme(theme: Theme): void {
  remember('theme', theme)
  show(theme)
}
