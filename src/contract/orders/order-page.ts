import type { LandingAssets, Locale } from '../storefront/landing.ts';
import type { StorefrontContact } from '../storefront/storefront-settings.ts';
import type { CheckoutField } from './checkout-form.ts';

/** The forms of an order's status page, by the last part of the address that they post to (multipart/form-data). */
export const orderForms = ['proof', 'address', 'login'] as const;
export type OrderForm = (typeof orderForms)[number];

/** Where an order's status page is. */
export function orderPathOf(token: string): string {
	return `/order/${token}`;
}

/** What one submission said: shown to whoever sent it, and to nobody else. */
export interface SubmittedDetails {
	name: string;
	phone: string;
	email: string;
	upiId: string;
	/** The payment's reference as it was given last; null without one. */
	utr: string | null;
	/** How many screenshots came with it. */
	proofCount: number;
}

export interface OrderStatusPage {
	kind: 'status';
	/** The page's own path. */
	path: string;
	code: string;
	title: string;
	status: 'Pending' | 'Complete';
	/** Money and moments as they are written. */
	price: string;
	receivedAt: string;
	note: string | null;
	isProofWanted: boolean;
	/** Null on a link that came by mail. */
	typed: SubmittedDetails | null;
	/** Whether the login can be corrected to another address here. */
	canCorrect: boolean;
	/** What a form before has done. */
	done: OrderForm | null;
	/** Why a form was refused, and the sentences for its fields that are in error. */
	refusal: { form: OrderForm; message: string; errors: Partial<Record<CheckoutField, string>> } | null;
	/** What stands in the fields: the address so far and no reference, or what was refused. */
	values: { email: string; utr: string };
}

export interface OrderReceiptPage {
	kind: 'receipt';
	/** Path of the status page. */
	path: string;
	/** The order's code. */
	number: string;
	name: string;
	title: string;
	price: string;
	orderedAt: string;
	paidAt: string;
	/** Lines of the seller; '' when the owner gave none. */
	seller: string;
}

/** A link that is unknown, or whose order is gone. */
export interface OrderGonePage {
	kind: 'gone';
}

export interface OrderPageProps {
	locale: Locale;
	publicUrl: string;
	/** How to reach the shop. */
	contact: StorefrontContact;
	page: OrderStatusPage | OrderReceiptPage | OrderGonePage;
}

/** Draws an order's page as a whole HTML document, which works without its script. Pure. */
export type RenderOrderPage = (props: OrderPageProps, assets: Pick<LandingAssets, 'styles' | 'scripts'>) => string;
