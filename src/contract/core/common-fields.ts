import * as z from 'zod';
import { limits } from './limits.ts';

/** Maximum number of rows that a list call returns; a number outside 1 to 1000 is refused. */
export const pageSize = z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.pageSizeDefault);

/** Opaque cursor of a keyset-paged list: `nextCursor` of the previous page. */
export const cursor = z.string().max(2000).optional();

/** A page of a list; `nextCursor` is null on the last page. */
export function pageOf<Item extends z.ZodType, More extends z.ZodRawShape = Record<never, never>>(
	item: Item,
	more?: More,
) {
	return z.object({ items: z.array(item), nextCursor: z.string().nullable(), ...(more as More) });
}

/** Search text. Control characters, which pasted text may contain, become spaces; databases reject NUL. */
export const searchText = z
	.string()
	.max(limits.searchMaxLength)
	.overwrite((text) => text.replace(/\p{Cc}/gu, ' '))
	.optional();

/** Text of one line, without control characters and bidirectional controls; lone surrogates are replaced. */
export const singleLineText = z
	.string()
	.overwrite((text) => text.toWellFormed().trim())
	.refine((text) => !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text), 'error_invalid_input');

/** Text without spaces around it, of limited length; NUL is refused, because PostgreSQL cannot store it. */
export function trimmedText(maxLength: number) {
	return z
		.string()
		.trim()
		.max(maxLength, 'error_field_too_long')
		.refine((text) => !text.includes('\0'), 'error_invalid_input');
}

/** ID of a stored record; NUL, which databases reject, is refused. */
export const recordId = z.string().refine((text) => !text.includes('\0'));

export const typedEmail = z.string().max(limits.textMaxLength, 'error_field_too_long');
export const typedPassword = z.string().max(limits.passwordMaxLength, 'error_field_too_long');

/** ISO 8601 in UTC. */
export const timestamp = z.string();

/** Rupees with at most two decimals; stored as whole paise. */
export const rupees = z.number();

/** Browser and system of a session or sign-in, in readable form. Null where the User-Agent does not contain it. */
export const device = z.object({
	/** `Chrome 126`, `Samsung Internet 25`, `WhatsApp`. */
	browser: z.string().nullable(),
	/** `Android 14`, `Windows`, `macOS`. */
	system: z.string().nullable(),
	kind: z.enum(['phone', 'tablet', 'computer', 'unknown']),
});
export type Device = z.infer<typeof device>;
