/**
 * Path that the purchase form posts to (multipart/form-data). Responds with JSON to `Accept: application/json`,
 * otherwise with HTML or a redirect.
 */
export const checkoutPath = '/purchase';

/** Field names of the purchase form, in their order on the page. */
export const checkoutFields = ['name', 'phone', 'email', 'upiId', 'utr', 'screenshot'] as const;
export type CheckoutField = (typeof checkoutFields)[number];
