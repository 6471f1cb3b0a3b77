import { ENDPOINTS } from '@citewell/contract/endpoints'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import { presentWidget } from './present-widget.ts'
import type { Widgets } from './widgets.ts'

export const widgetRoutes = (widgets: Widgets) =>
  recordRoutes(
    {
      list: ENDPOINTS.listWidgets,
      create: ENDPOINTS.createWidget,
      get: ENDPOINTS.getWidget,
      change: ENDPOINTS.updateWidget,
      remove: ENDPOINTS.deleteWidget,
    },
    widgets,
    presentWidget,
  )
