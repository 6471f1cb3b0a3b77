import { Refusal } from '../../kernel/refusal.ts'
import { isOriginAllowed } from '../../platform/http/cors.ts'
import type { AskedBase, AskedBasesDb, AskedWidget } from './asked-bases-store.ts'
import { findAskedWidget } from './asked-bases-store.ts'

/** How answers are to sound. */
export interface Voice {
  persona: string | undefined
  tone: string | undefined
  standingInstructions: string | undefined
}

/**
 * The widget that a request names, if it names one.
 *
 * @param origin of the page; a server has none, and is asked for none
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

/** The same for a request that is about a widget. */
export async function requireWidget(
  db: AskedBasesDb,
  knowledgeBaseId: string,
  widgetId: string,
  origin: string | undefined,
): Promise<AskedWidget> {
  const widget = await findAskedWidget(db, knowledgeBaseId, widgetId)
  if (widget === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such widget.' })
  if (!widget.enabled) throw new Refusal('WIDGET_DISABLED')
  if (origin !== undefined && !isOriginAllowed(origin, widget.allowed_origins))
    throw new Refusal('ORIGIN_NOT_ALLOWED')
  return widget
}

/** The base's voice, with what the widget says of its own. */
export function voiceOf(base: AskedBase, widget: AskedWidget | undefined): Voice {
  const own = (field: string): string | undefined => {
    const value = widget?.config[field]
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  return {
    persona: own('persona') ?? base.persona ?? undefined,
    tone: own('tone') ?? base.tone ?? undefined,
    standingInstructions: own('standing_instructions') ?? base.standing_instructions ?? undefined,
  }
}
