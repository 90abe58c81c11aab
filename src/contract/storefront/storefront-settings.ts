import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';
import type { ContactInfo } from '../settings/site-settings.ts';

const line = z.string().trim().max(500, 'error_field_too_long');
/** NUL is refused, because PostgreSQL cannot store it. */
const legalText = z
	.string()
	.trim()
	.max(limits.legalTextMaxLength, 'error_field_too_long')
	.refine((text) => !text.includes('\0'), 'error_invalid_input');

/** Whether an address, parsed as in browsers, is safe to link to: its scheme cannot run code. */
export function isSafeAddress(address: string): boolean {
	const url = URL.parse(address);
	return url !== null && ['https:', 'http:', 'mailto:'].includes(url.protocol);
}

/** Whether an address is a path on this server; `//host` and `/\host` would lead to another server. */
const isOwnPath = (address: string) => /^\/(?![/\\])[^\s\p{C}\\]*$/u.test(address);

const socialLink = z.object({
	label: line.min(1, 'error_field_required').max(40, 'error_field_too_long'),
	url: line.min(1, 'error_field_required').refine(isSafeAddress, 'error_address'),
});
const bothLanguages = z.object({ en: legalText, hi: legalText });

const storefrontInput = z.object({
	socialLinks: z.array(socialLink).max(limits.socialLinksMax, 'error_too_many_links'),
	/** Address of the chat; empty for the product's own chat. */
	chatUrl: line.refine((url) => url === '' || isOwnPath(url) || isSafeAddress(url), 'error_address_or_path'),
	/** Plain text with paragraphs separated by blank lines; empty for the product's own text. */
	legal: z.object({ privacy: bothLanguages, terms: bothLanguages, refund: bothLanguages }),
});
export type Storefront = z.infer<typeof storefrontInput>;

export type StorefrontContact = Pick<Storefront, 'socialLinks' | 'chatUrl'> & ContactInfo;

const emptyTexts = { en: '', hi: '' };
export const storefrontDefaults: Storefront = {
	socialLinks: [],
	chatUrl: '',
	legal: { privacy: emptyTexts, terms: emptyTexts, refund: emptyTexts },
};

/** Version of the settings; 0 before the first save. */
const version = z.number().int();

export const storefrontSettings = {
	get: endpoint('admin', 'GET /api/settings/storefront', 'Get the links and legal texts of the storefront').output(
		storefrontInput.extend({ version }),
	),
	/** Saves the settings, which the storefront's pages show at once. INVALID_INPUT with `fields`, STALE. */
	save: endpoint('admin', 'PUT /api/settings/storefront', 'Save the links and legal texts of the storefront', {
		bodyLimitBytes: 512 * 1024,
	})
		.input(storefrontInput.extend({ version }))
		.output(z.object({ version })),
};
