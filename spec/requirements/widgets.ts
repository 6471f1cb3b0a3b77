import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/widgets/widgets.ts'
const answers = 'service/src/channels/widgets/widget-config-routes.ts'
const shown = 'service/src/channels/widgets/present-widget.ts'
const keyRoutes = 'service/src/channels/widgets/widget-key-routes.ts'
const gate = 'service/src/channels/public-api/widget-gate.ts'
const connect = 'widget/src/loader/connect.ts'
const connectMenu = 'widget/src/panel/connect-menu.tsx'
const footer = 'widget/src/panel/footer.tsx'
const of = 'interface#widget'
const config = 'interface#widget-config-response'
const routes = 'open-items#2-management-api'

const attribute = (name: string, does: string, lives: string) =>
  ({ says: `The script tag's ${name} ${does}.`, spec: of, lives }) as const

export const WIDGETS = {
  'widgets.record': {
    says: 'A saved widget has an id, a name, an enabled switch, allowed origins, config, its base and times.',
    spec: 'open-items#records',
    lives: shown,
  },
  'widgets.with-a-base': {
    says: 'A new external base comes with a widget named after it; an internal one has none.',
    spec: 'interface#knowledge-base',
    lives,
  },
  'widgets.list': { says: 'GET lists the widgets of a base.', spec: routes, lives },
  'widgets.create': { says: 'POST makes a widget: 201 with the record.', spec: routes, lives },
  'widgets.read': { says: 'GET reads one widget.', spec: routes, lives },
  'widgets.change': {
    says: 'PATCH changes a widget, its config key by key.',
    spec: routes,
    lives: 'service/src/channels/widgets/widgets-store.ts',
  },
  'widgets.delete': { says: 'DELETE removes a widget: 204.', spec: routes, lives },
  'widgets.owned': {
    says: 'The widgets of a base are counted before its deletion, and go with it.',
    spec: 'interface#knowledge-base-1',
    lives,
  },
  'widgets.gate.disabled': {
    says: 'A question or search that names a widget which is off is refused with 403 WIDGET_DISABLED.',
    spec: 'interface#before-the-stream-opens-json-error-4xx',
    lives: gate,
  },
  'widgets.gate.origin': {
    says: "A question or search from a page that the widget's origins leave out is refused with 403 ORIGIN_NOT_ALLOWED.",
    spec: 'interface#before-the-stream-opens-json-error-4xx',
    lives: gate,
  },
  'widgets.gate.unknown': {
    says: 'A question or search that names an unknown widget, or one of another base, is refused with 404 NOT_FOUND.',
    spec: 'interface#before-the-stream-opens-json-error-4xx',
    lives: gate,
  },
  'widgets.gate.bad-id': {
    says: 'A question or search whose widget_id is no id is refused with 400 BAD_REQUEST.',
    spec: 'interface#before-the-stream-opens-json-error-4xx',
    lives: 'contract/src/chat.ts',
  },
  'widgets.key-origins-alone': {
    says: "Where no widget_id is sent, the key's origins alone count.",
    spec: config,
    lives: gate,
  },
  'widgets.config.base': {
    says: 'widget-config has the id and the name of the base of the key.',
    spec: config,
    lives: answers,
  },
  'widgets.config.captcha-required': {
    says: 'captcha_required says whether this key must send tokens, and is false for every secret pair.',
    spec: config,
    lives: 'service/src/channels/captcha/captcha.ts',
  },
  'widgets.config.captcha-site-key': {
    says: 'captcha_site_key is what tokens are fetched with.',
    spec: config,
    lives: answers,
  },
  'widgets.config.hide-branding': {
    says: 'hide_branding_allowed is true with the plan Enterprise alone.',
    spec: config,
    lives: answers,
  },
  'widgets.config.mcp-unavailable': {
    says: 'Where mcp_available is false, mcp_url and mcp_oauth are left out.',
    spec: config,
    lives: answers,
  },
  'widgets.config.mcp-available': {
    says: 'mcp_available is true where readers may connect AI tools; the call makes a Public server if there is none.',
    spec: config,
    lives: answers,
  },
  'widgets.config.mcp-oauth': {
    says: 'mcp_oauth is true where mcp_url is a Public server.',
    spec: config,
    lives: answers,
  },
  'widgets.config.key': {
    says: 'widget-config takes a client key of the base.',
    spec: 'interface#public-api',
    lives: 'contract/src/widget-config.ts',
  },
  'widgets.saved.fields': {
    says: 'The saved-widget route gives all of that, with id, enabled and config.',
    spec: config,
    lives: answers,
  },
  'widgets.saved.exit-feedback': {
    says: 'exit_feedback_enabled in config is always false, whatever was saved.',
    spec: config,
    lives: shown,
  },
  'widgets.saved.satisfaction-feedback': {
    says: 'satisfaction_feedback_enabled in config is always false, whatever was saved.',
    spec: config,
    lives: shown,
  },
  'widgets.saved.satisfaction-after': {
    says: 'satisfaction_after_answers is never in config, whatever was saved.',
    spec: config,
    lives: shown,
  },
  'widgets.saved.disabled': {
    says: 'A widget that is off gives 403 WIDGET_DISABLED.',
    spec: config,
    lives: gate,
  },
  'widgets.saved.origin': {
    says: "A page outside the widget's origins gets 403 ORIGIN_NOT_ALLOWED.",
    spec: config,
    lives: gate,
  },
  'widgets.saved.unknown': {
    says: "An unknown widget, or one of another base than the key's, gives 404.",
    spec: config,
    lives: gate,
  },
  'widgets.key.of-the-base': {
    says: "A script tag without a client key gets the public key of the base's own widget, which was made with it.",
    spec: of,
    lives: keyRoutes,
  },
  'widgets.key.of-a-widget': {
    says: 'A script tag with data-widget-id alone gets the base and the key by the widget, which must be on and allow the page.',
    spec: of,
    lives: keyRoutes,
  },
  'widgets.key.stays-limited': {
    says: 'A key that is revoked, limited to other origins, or of a closed base is not given; a secret pair never is.',
    spec: of,
    lives: keyRoutes,
  },
  'widgets.looks': {
    says: 'config holds the looks in the words of the script tag; each is checked when it is saved, unknown fields are kept, and the saved-widget route gives them.',
    spec: of,
    lives: 'contract/src/widget-looks.ts',
  },
  'widgets.voice': {
    says: "A question with a widget_id is answered in that widget's voice.",
    spec: 'interface#chat-request-body',
    lives: gate,
  },
  'widgets.script.knowledge-base-id': attribute(
    'data-knowledge-base-id',
    'makes the widget call widget-config on load',
    connect,
  ),
  'widgets.script.widget-id': attribute(
    'data-widget-id',
    'makes the widget call the saved-widget route on load',
    connect,
  ),
  'widgets.script.product-name': attribute(
    'data-product-name',
    'replaces the name at the top',
    'widget/src/panel/header.tsx',
  ),
  'widgets.script.hide-branding': attribute(
    'data-hide-branding',
    'hides the branding line where that is allowed',
    footer,
  ),
  'widgets.script.mcp-enabled': attribute(
    'data-mcp-enabled',
    'set to false hides the MCP button',
    connectMenu,
  ),
  'widgets.script.source-group-ids': attribute(
    'data-source-group-ids',
    'limits questions to groups',
    'widget/src/options/widget-options.ts',
  ),
  'widgets.script.connect-menu': {
    says: 'Where mcp_available is true the widget has the button Use MCP, with a menu titled Connect to AI Tools.',
    spec: config,
    lives: connectMenu,
  },
  'widgets.script.branding-stays': {
    says: 'Below the plan Enterprise the branding line stays, even with data-hide-branding.',
    spec: config,
    lives: footer,
  },
  'widgets.script.search-without-widget-id': {
    says: 'The search tab and matching while typing send no widget_id.',
    spec: config,
    lives: 'widget/src/panel/search-view.tsx',
  },
} as const satisfies Record<string, Requirement>
