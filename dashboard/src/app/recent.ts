export interface RecentScreen {
  href: string
  title: string
}

/** How many screens are remembered. */
const MOST = 8

/** Screens of this tab that were left, the latest first. They are in its memory only: their titles are nobody else's business. */
let screens: readonly RecentScreen[] = []

export const recentScreens = (): readonly RecentScreen[] => screens

export function rememberScreen(screen: RecentScreen): void {
  screens = [screen, ...screens.filter(({ href }) => href !== screen.href)].slice(0, MOST)
}
