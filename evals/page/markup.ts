const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text escaped for use between tags or in a quoted attribute. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

/** `12.5%` for a share of 0 to 1, as an attribute of SVG. */
export const percent = (share: number): string =>
  `${Number((Math.min(1, Math.max(0, share)) * 100).toFixed(2))}%`

/** Milliseconds for people: `4.2 ms`, `38 ms`, `1.2 s`. */
export function millisecondsText(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(1)} s`
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`
}

/** A figure with a title. */
export const panel = (title: string, body: string, note = ''): string =>
  `<section class="panel"><h3>${escaped(title)}${note === '' ? '' : ` <small>${note}</small>`}</h3>${body}</section>`
