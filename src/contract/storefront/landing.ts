// The landing page's script imports this file, which must not import zod.
import type { StorefrontBook } from '../book/book-settings.ts';
import type { Locale } from '../core/text.ts';
import type { CheckoutField } from '../orders/checkout-form.ts';
import type { RenderOrderPage } from '../orders/order-page.ts';
import type { LandingAssets, PageContent, StorefrontContact } from './page-content.ts';
import type { LandingVideo, LandingVideos, VideoKey } from './video-parts.ts';

/** A prefilled UPI payment: payee, amount and note. */
export interface UpiPayment {
	/** `upi://pay?…`, for a button on phones. */
	link: string;
	/** The link as a QR code: modules per side, and the dark modules as an SVG path. */
	qr: { size: number; path: string };
}

/** For the buyer: the order that the form created, or to which the form added a proof. */
export interface SubmittedOrder {
	/** Path of the order's status page; contains a secret token. */
	statusUrl: string;
	code: string;
}

/** State of the purchase form when the page is rendered; keeps the values of a refused submission. */
export interface LandingForm {
	values: Record<Exclude<CheckoutField, 'screenshot'>, string>;
	errors: Partial<Record<CheckoutField, string>>;
	/** `done`: the purchase was accepted; `failed`: another error occurred, and the input is kept. */
	outcome: 'idle' | 'done' | 'failed';
	/** Message for the outcome. Source: the specification. */
	message: string | null;
	order?: SubmittedOrder | null;
}

/** Props of every storefront page except an order's page. */
export interface PageProps {
	locale: Locale;
	book: StorefrontBook;
	content: PageContent;
	/** Social links of the founder, and how to reach the shop. */
	contact: StorefrontContact;
	/** Origin for canonical addresses, without a trailing slash. */
	publicUrl: string;
	/** Year of the copyright line, in the business time zone. */
	year: number;
}

/** Props of the landing page. The server also sends them to the browser as a JSON data block. */
export interface LandingProps extends PageProps {
	form: LandingForm;
	films: LandingVideos;
	payment: UpiPayment | null;
	/** Whether the page is open in another app's browser, which often cannot open payment apps or choose an image. */
	isInApp: boolean;
}

/** Renders the whole HTML document. Pure; the server caches it per settings version and language. */
export type RenderPage<Props extends PageProps> = (props: Props, assets: LandingAssets) => string;

export interface LegalProps extends PageProps {
	page: LegalPage;
	/** The owner's text and its language; an empty `words` means the product's own text. */
	text: { language: Locale; words: string };
}

export interface VideoPageProps extends PageProps {
	key: VideoKey;
	video: LandingVideo;
}

export const emptyLandingForm: LandingForm = {
	values: { name: '', phone: '', email: '', upiId: '', utr: '' },
	errors: {},
	outcome: 'idle',
	message: null,
};

/** The legal pages, named by the last segment of their path. */
export const legalPages = ['privacy', 'terms', 'refund'] as const;
export type LegalPage = (typeof legalPages)[number];

/** Path to which the landing page reports a visit. */
export const visitsPath = '/api/visits';

export const visitPages = ['/', '/?lang=hi'] as const;
export type VisitPage = (typeof visitPages)[number];

/** `visit`: the page was opened; `form`: the visitor began to fill in the purchase form. */
export const visitEvents = ['visit', 'form'] as const;
export type VisitEvent = (typeof visitEvents)[number];

export interface VisitBeacon {
	event: VisitEvent;
	page: VisitPage;
	/** Origin of the referring page; '' without a referrer, or for a page of this site. */
	referrer: string;
}

export interface StorefrontRenderers {
	renderLanding: RenderPage<LandingProps>;
	renderLegal: RenderPage<LegalProps>;
	renderVideo: RenderPage<VideoPageProps>;
	renderOrderPage: RenderOrderPage;
}
