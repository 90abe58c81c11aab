import * as z from 'zod';
import { limits } from './limits.ts';

/** How many rows a list call returns; anything outside 1 to 1000 is refused. */
export const pageSize = z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.pageSizeDefault);

/** Opaque place in a keyset-paged list, as the call before returned it. */
export const cursor = z.string().max(2000).optional();

/** What a person looks for: control signs that came along with a paste are no part of it, and NUL no database takes. */
export const searchText = z
	.string()
	.max(limits.searchMaxLength)
	.overwrite((text) => text.replace(/\p{Cc}/gu, ' '))
	.optional();

/** One line: without NUL and halves of signs, which no database takes, line ends, and signs that turn what is written around. */
export const singleLineText = z
	.string()
	.overwrite((text) => text.toWellFormed().trim())
	.refine((text) => !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text), 'error_invalid_input');

/** An id of something kept; what no database takes is none. */
export const recordId = z.string().refine((text) => !text.includes('\0'));

/** ISO 8601 in UTC. */
export const timestamp = z.string();

/** Rupees with at most two decimals; kept inside as whole paise. */
export const rupees = z.number();

/** In a file without zod, so that the landing page's small script can use it. */
export { emailPattern } from './text.ts';

/** What a session or a sign-in came from, in names that people know. Null where the browser does not tell. */
export const device = z.object({
	/** `Chrome 126`, `Samsung Internet 25`, `WhatsApp`. */
	browser: z.string().nullable(),
	/** `Android 14`, `Windows`, `macOS`. */
	system: z.string().nullable(),
	kind: z.enum(['phone', 'tablet', 'computer', 'unknown']),
});
export type Device = z.infer<typeof device>;
