import * as z from 'zod';
import { cursor, pageOf, pageSize, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { limits } from '../core/limits.ts';
import { auditKind } from './audit-kinds.ts';

/** The screen to which a name in an audit entry links. */
export const auditLink = z.object({
	screen: z.enum(['person', 'order', 'space']),
	/** Email address of the user, buyer or space owner, or a reserved owner (`guest`, `book`). */
	email: z.string(),
});
export type AuditLink = z.infer<typeof auditLink>;

export const auditEntry = z.object({
	id: z.string(),
	at: timestamp,
	/** Stable name of the action, such as `user-registered`. */
	action: z.string(),
	kind: auditKind.nullable(),
	/** Sentence in the caller's language, in parts. `names`: whether the part is the name of `who` or `whom`. */
	sentence: z.array(z.object({ text: z.string(), names: z.enum(['who', 'whom']).nullable() })),
	/** Email address, or a translated name for the system or a visitor. */
	who: z.string(),
	whom: z.string(),
	whoPlace: auditLink.nullable(),
	whomPlace: auditLink.nullable(),
	/** IP address, or `Unknown`. */
	ip: z.string(),
	/** What changed, in the caller's language. */
	details: z.array(z.object({ label: z.string(), value: z.string() })),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** A day of the business time zone. */
const day = z.iso.date();

export const auditFilter = z.object({
	/** Email address of the user who performed the action or was affected by it; may be a deleted user. */
	person: z.string().max(limits.searchMaxLength).optional(),
	kind: auditKind.optional(),
	/** First and last day, both included. */
	from: day.optional(),
	to: day.optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

/** Path of the audit list as a CSV file (text/csv), with the filter in the query. */
export const auditCsvPath = '/api/audit.csv';

export const audit = {
	list: endpoint('admin', 'GET /api/audit', 'List the audit entries, newest first')
		.input(z.object({ ...auditFilter.shape, cursor, limit: pageSize }))
		.output(pageOf(auditEntry)),
};
