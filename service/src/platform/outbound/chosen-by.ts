/**
 * Who chose the address. There is no default on purpose: each call has to say.
 * - `operator`: whoever runs this service, in its settings.
 * - `customer`: somebody with an account here.
 * - `web-page`: a page of the public web, which anybody may have written. It leads to public addresses only, whatever is opened.
 * - `private-page`: a page that stands in a private network which the operator opened. It leads where a customer may.
 * - `stranger`: whoever sent a request, without an account. Private networks that the operator opened for documentation are not open
 *   to strangers, except for hosts that the setting names one by one.
 */
export type ChosenBy = 'operator' | 'customer' | 'web-page' | 'private-page' | 'stranger'
