/** The words that a look of the website widget may be, its default first. Without zod: the widget and the dashboard import them. */
export const WIDGET_WORDS = {
  mode: ['modal', 'sidebar', 'bubble', 'embedded', 'none'],
  position: ['end', 'start'],
  theme: ['auto', 'light', 'dark', 'page'],
  font: ['system', 'inherit'],
  launcher: ['button', 'none'],
  default_tab: ['ask', 'search'],
  remember: ['session', 'none', 'local'],
  open_links: ['new', 'same'],
  consent: ['none', 'required'],
  events: ['metadata', 'none'],
} as const
