/**
 * Who chose the address. There is no default on purpose: each call has to say.
 * - `operator`: whoever runs this service, in its settings.
 * - `customer`: somebody with an account here.
 * - `web-page`: a page that was read, which anybody may have written.
 */
export type ChosenBy = 'operator' | 'customer' | 'web-page'
