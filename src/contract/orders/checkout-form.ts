/** Path of the purchase form (multipart). Responds with JSON if the client accepts it, else with HTML or a redirect. */
export const checkoutPath = '/purchase';

/** Field names of the purchase form, in their order on the page. */
export const checkoutFields = ['name', 'phone', 'email', 'upiId', 'utr', 'screenshot'] as const;
export type CheckoutField = (typeof checkoutFields)[number];
