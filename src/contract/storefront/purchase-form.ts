/** Where the purchase form posts (multipart/form-data). `Accept: application/json` answers JSON, else HTML or a redirect. */
export const purchasePath = '/purchase';

/** Field names of the purchase form, in their order on the page. */
export const purchaseFields = ['name', 'phone', 'email', 'upiId', 'utr', 'screenshot'] as const;
export type PurchaseField = (typeof purchaseFields)[number];
