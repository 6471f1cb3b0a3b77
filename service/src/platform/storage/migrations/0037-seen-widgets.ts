export const seenWidgetsMigration: readonly string[] = [
  // When a page last asked for the settings of a widget, and its origin. Both null until then.
  `alter table widgets
    add column last_seen_at timestamptz,
    add column last_seen_origin text`,
]
