import type { UtrRequest } from '../book/book-settings.ts';
import type { OfferedEditions } from '../book/editions.ts';
import type { Locale } from '../core/text.ts';
import type { LandingAssets, PageContent, StorefrontContact } from '../storefront/page-content.ts';
import type { CheckoutField } from './checkout-form.ts';

/** Forms of an order's status page (multipart), named by the last segment of their path. */
export const orderForms = ['proof', 'address', 'login'] as const;
export type OrderForm = (typeof orderForms)[number];

export function orderPathOf(token: string): string {
	return `/order/${token}`;
}

/** The details entered in one submission, shown only to the user who sent them. */
export interface SubmittedDetails {
	name: string;
	phone: string;
	email: string;
	upiId: string;
	/** The latest payment reference; null without one. */
	utr: string | null;
	proofCount: number;
}

export interface OrderStatusPage {
	kind: 'status';
	path: string;
	code: string;
	/** Of the book, in the page's language. */
	title: string;
	offered: OfferedEditions;
	status: 'Pending' | 'Complete';
	/** Price and times, formatted. */
	price: string;
	receivedAt: string;
	note: string | null;
	isProofWanted: boolean;
	/** Null when the page was opened by a mailed link. */
	typed: SubmittedDetails | null;
	/** Whether the buyer can correct the email address of the account on this page. */
	canCorrect: boolean;
	utrRequest: UtrRequest;
	/** Whether this is the order of a test purchase. */
	isTest: boolean;
	/** The form that was just submitted successfully; null otherwise. */
	done: OrderForm | null;
	/** Why a form was refused, with a message for each invalid field. */
	refusal: { form: OrderForm; message: string; errors: Partial<Record<CheckoutField, string>> } | null;
	/** Field values: the current address and no reference, or the refused input. */
	values: { email: string; utr: string };
}

export interface OrderReceiptPage {
	kind: 'receipt';
	path: string;
	/** The order's code. */
	number: string;
	name: string;
	title: string;
	offered: OfferedEditions;
	price: string;
	orderedAt: string;
	paidAt: string;
	/** Seller's lines; '' when the owner entered none. */
	seller: string;
	isTest: boolean;
}

export interface OrderPageProps {
	locale: Locale;
	publicUrl: string;
	content: PageContent;
	/** How to reach the shop. */
	contact: StorefrontContact;
	/** `gone`: the link is unknown, or its order was deleted. */
	page: OrderStatusPage | OrderReceiptPage | { kind: 'gone' };
}

/** Renders an order's page as a whole HTML document, which works without JavaScript. Pure. */
export type RenderOrderPage = (props: OrderPageProps, assets: Pick<LandingAssets, 'styles' | 'scripts'>) => string;
