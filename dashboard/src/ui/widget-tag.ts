/** The line to paste into a page, which shows a widget there. */
export const widgetTag = (baseId: string, widgetId: string): string =>
  `<script async src="${location.origin}/widget.js"\n  data-knowledge-base-id="${baseId}"\n  data-widget-id="${widgetId}"></script>`
