import type { PublicBook } from '../book/book-settings.ts';
import type { CheckoutField } from '../orders/checkout-form.ts';
import type { StorefrontContact } from './storefront-settings.ts';
import type { LandingVideo, LandingVideos, VideoKey } from './video-parts.ts';

export type Locale = 'en' | 'hi';

/** A payment by UPI that is filled in already: payee, amount, what for. */
export interface UpiPayment {
	/** `upi://pay?…`, for a button on phones. */
	link: string;
	/** The link as a QR: modules a side, and the dark ones as the path of an SVG. */
	qr: { size: number; path: string };
}

/** What a buyer is told of the order that the form made, or joined. */
export interface SubmittedOrder {
	/** Path of the order's own page, by a secret that is told only here. */
	statusUrl: string;
	code: string;
}

/** What the purchase form shows when the page is drawn: after a refused submission without script, typed values stay. */
export interface LandingForm {
	values: Record<Exclude<CheckoutField, 'screenshot'>, string>;
	/** A sentence for each field in error, in the page's language. */
	errors: Partial<Record<CheckoutField, string>>;
	/** `done`: the purchase was accepted; `failed`: something else went wrong, nothing is lost. */
	outcome: 'idle' | 'done' | 'failed';
	/** The sentence of the outcome, in the specified words. */
	message: string | null;
	/** After an accepted purchase. */
	order?: SubmittedOrder | null;
}

/** Everything the landing page is drawn from, on the server and again in the browser (as a JSON data block). */
export interface LandingProps {
	locale: Locale;
	book: PublicBook;
	/** Where the founder is found and how to reach the shop. */
	contact: StorefrontContact;
	/** Origin for canonical addresses, without a trailing slash. */
	publicUrl: string;
	/** The year of the copyright line, in the business time zone. */
	year: number;
	form: LandingForm;
	films: LandingVideos;
	/** Null while the owner has named no payee. */
	payment: UpiPayment | null;
	/** Read inside another app, whose browser seldom opens payment apps or lets one choose a picture. */
	isInApp: boolean;
}

/** Built addresses of the landing page's own entry. */
export interface LandingAssets {
	scripts: string[];
	/** Modules that the scripts import, to be fetched at once. */
	preloads?: string[];
	styles: string[];
	/** The faces that the first screen of a page in each language is set in, to be fetched at once. */
	fonts?: Record<Locale, string[]>;
}

/** Draws the whole HTML document. Pure; the server caches it per settings version and language. */
export type RenderLanding = (props: LandingProps, assets: LandingAssets) => string;

/** What a page of fine print is drawn from. */
export interface LegalProps extends Omit<LandingProps, 'form' | 'films' | 'payment' | 'isInApp'> {
	page: LegalPage;
	/** The owner's text and its language; without words for the product's own. */
	text: { language: Locale; words: string };
}

/** Draws a page of fine print as a whole HTML document. */
export type RenderLegal = (props: LegalProps, assets: LandingAssets) => string;

/** What the page of a film is drawn from. */
export interface VideoPageProps extends Omit<LegalProps, 'page' | 'text'> {
	key: VideoKey;
	video: LandingVideo;
}

/** Draws the page of a film as a whole HTML document. */
export type RenderVideoPage = (props: VideoPageProps, assets: LandingAssets) => string;

export const emptyLandingForm: LandingForm = {
	values: { name: '', phone: '', email: '', upiId: '', utr: '' },
	errors: {},
	outcome: 'idle',
	message: null,
};

/** The pages of fine print, by the last part of their address. In a file without zod, for what draws pages. */
export const legalPages = ['privacy', 'terms', 'refund'] as const;
export type LegalPage = (typeof legalPages)[number];
