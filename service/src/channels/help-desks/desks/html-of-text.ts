const MAX_BODY = 50_000

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Plain text as HTML that shows exactly it, for help desks that take HTML and may fill in `{{ … }}`. */
export const htmlOfText = (text: string): string =>
  text
    .slice(0, MAX_BODY)
    .replaceAll(/\{(?=[{%])/g, '{ ')
    .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
    .replaceAll(/^ +/gm, (spaces) => '&nbsp;'.repeat(spaces.length))
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('')
