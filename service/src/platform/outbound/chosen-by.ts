/**
 * Who chose the address. Deliberately without a default: each call must state it.
 * - `operator`: the operator of this service, in its settings.
 * - `customer`: a member with an account here.
 * - `web-page`: a page of the public web, written by anyone. Only public addresses are reached, whatever networks are allowed.
 * - `private-page`: a page in a private network that the operator allowed. It may link wherever a customer may.
 * - `stranger`: the sender of a request without an account. Private networks that the operator allowed for documentation stay closed,
 *   except for hosts that the setting names individually.
 */
export type ChosenBy = 'operator' | 'customer' | 'web-page' | 'private-page' | 'stranger'
