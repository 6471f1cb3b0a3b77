import { voiceOf, type AskedBase, type Voice } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { isOriginAllowed } from '../../platform/http/cors.ts'
import { findAskedWidget, type AskedBasesDb, type AskedWidget } from './asked-bases-store.ts'

/**
 * The widget that a request names, if any.
 *
 * @param origin of the page; undefined for a server, which is not checked
 * @throws Refusal NOT_FOUND for a widget of another base, WIDGET_DISABLED, ORIGIN_NOT_ALLOWED
 */
export async function openWidget(
  db: AskedBasesDb,
  knowledgeBaseId: string,
  widgetId: string | undefined,
  origin: string | undefined,
): Promise<AskedWidget | undefined> {
  return widgetId === undefined ? undefined : await requireWidget(db, knowledgeBaseId, widgetId, origin)
}

/** The same for a request that requires a widget. */
export async function requireWidget(
  db: AskedBasesDb,
  knowledgeBaseId: string,
  widgetId: string,
  origin: string | undefined,
): Promise<AskedWidget> {
  return requireOpenWidget(await findAskedWidget(db, knowledgeBaseId, widgetId), origin)
}

/** A widget that was found, if this page may use it. */
export function requireOpenWidget<Widget extends Pick<AskedWidget, 'enabled' | 'allowed_origins'>>(
  widget: Widget | undefined,
  origin: string | undefined,
): Widget {
  if (widget === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such widget.' })
  if (!widget.enabled) throw new Refusal('WIDGET_DISABLED')
  if (origin !== undefined && !isOriginAllowed(origin, widget.allowed_origins))
    throw new Refusal('ORIGIN_NOT_ALLOWED')
  return widget
}

/** The style of the base, with the widget's own settings applied. */
export function voiceIn(base: AskedBase, widget: AskedWidget | undefined): Voice {
  const own = (field: string): string | undefined => {
    const value = widget?.config[field]
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  const [persona, tone, standingInstructions] = [own('persona'), own('tone'), own('standing_instructions')]
  return voiceOf(base, { persona, tone, standingInstructions })
}
