import * as z from 'zod';
import { cursor, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';
import { auditKind } from './audit-kinds.ts';

/** Where more about somebody or something can be seen, as long as it is there. */
export const auditLink = z.object({
	screen: z.enum(['person', 'order', 'space']),
	/** The person's, the buyer's or the space owner's address; `guest` and `book` for those spaces. */
	email: z.string(),
});
export type AuditLink = z.infer<typeof auditLink>;

export const auditEntry = z.object({
	id: z.string(),
	at: timestamp,
	/** Stable word of what was done, such as `user-registered`. */
	action: z.string(),
	kind: auditKind.nullable(),
	/** The sentence in the caller's language; `who` and `whom` name their pieces, for links. */
	sentence: z.array(z.object({ text: z.string(), names: z.enum(['who', 'whom']).nullable() })),
	/** Address, or words for the system and for a visitor. */
	who: z.string(),
	whom: z.string(),
	whoPlace: auditLink.nullable(),
	whomPlace: auditLink.nullable(),
	/** `Unknown` where there was no network address. */
	ip: z.string(),
	/** What changed, in the caller's language. */
	details: z.array(z.object({ label: z.string(), value: z.string() })),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** A day of the business time zone. */
const day = z.iso.date();

export const auditFilter = z.object({
	/** Address of whoever did it or whom it was done to, also of a deleted person. */
	person: z.string().max(limits.searchMaxLength).optional(),
	kind: auditKind.optional(),
	/** First and last day. */
	from: day.optional(),
	to: day.optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

/** Path of the same list as a file (text/csv), with the filter in the query. */
export const auditCsvPath = '/api/audit.csv';

export const audit = {
	list: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/audit', summary: 'Who changed what, newest first' })
		.input(z.object({ ...auditFilter.shape, cursor, limit: pageSize }))
		.output(z.object({ items: z.array(auditEntry), nextCursor: z.string().nullable() })),
};
