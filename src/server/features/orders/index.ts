export type { CheckoutPage } from './checkout/checkout.routes.ts';
export { findPaymentQrSize, renderPaymentQr, upiPaymentOf } from './checkout/upi-payment.ts';
export { sendLoginLinks } from './order-page/login-mail.ts';
export { listOrdersOfUser, listOwnOrders } from './orders.service.ts';
