import * as z from 'zod';

/** What a session or a sign-in came from, in names that people know. Null where the browser does not tell. */
export const device = z.object({
	/** `Chrome 126`, `Samsung Internet 25`, `WhatsApp`. */
	browser: z.string().nullable(),
	/** `Android 14`, `Windows`, `macOS`. */
	system: z.string().nullable(),
	kind: z.enum(['phone', 'tablet', 'computer', 'unknown']),
});
export type Device = z.infer<typeof device>;
