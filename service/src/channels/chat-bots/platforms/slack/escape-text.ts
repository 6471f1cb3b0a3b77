/** Text that Slack shows as it is: it has no other signs with a meaning of their own. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
