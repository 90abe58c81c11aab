import * as z from 'zod';
import { cursor, device, pageOf, pageSize, timestamp } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** The four fields of a credentials record, in the specification's order; also the columns of an import. */
export const credentialFields = ['username', 'state', 'id', 'password'] as const;
export type CredentialField = (typeof credentialFields)[number];

export const credential = z.object({
	username: z.string(),
	state: z.string(),
	id: z.string(),
	password: z.string(),
});
export type Credential = z.infer<typeof credential>;

/** A record for admins. `record` is the record's ID, because `id` is one of the four fields. */
export const credentialRow = credential.extend({
	record: z.string(),
	createdAt: timestamp,
	/** An update with another value fails with CREDENTIAL_STALE. */
	updatedAt: timestamp,
	/** Whether decryption fails (SECRET changed, data damaged). The four fields are then empty. */
	isUnreadable: z.boolean(),
});
export type CredentialRow = z.infer<typeof credentialRow>;

export const lookupFilters = ['all', 'found', 'not-found'] as const;

/** A lookup, with the searched username and state and the visitor. */
export const credentialLookup = z.object({
	id: z.string(),
	at: timestamp,
	username: z.string(),
	state: z.string(),
	/** Whether the searched username and state can no longer be decrypted. */
	isUnreadable: z.boolean(),
	isFound: z.boolean(),
	ip: z.string(),
	device,
	/** Email address of the signed-in user; null for a visitor. */
	email: z.string().nullable(),
});
export type CredentialLookup = z.infer<typeof credentialLookup>;

/** An import row that was not added. */
const credentialImportProblem = z.object({
	/** Line number in the file, counted from 1 with the header. */
	line: z.number(),
	username: z.string(),
	state: z.string(),
	/** A sentence in the caller's language. */
	reason: z.string(),
});

export const credentialErrors = defineErrors({
	CREDENTIAL_FIELDS: { status: 422, messageKey: 'error_credential_fields' },
	CREDENTIAL_EXISTS: { status: 409, messageKey: 'error_credential_exists' },
	CREDENTIAL_GONE: { status: 404, messageKey: 'error_credential_gone' },
	CREDENTIAL_STALE: { status: 409, messageKey: 'error_credential_stale' },
	CSV_HEADER: { status: 422, messageKey: 'error_csv_header' },
	CSV_BROKEN: { status: 422, messageKey: 'error_csv_broken' },
	CSV_TOO_LONG: { status: 422, messageKey: 'error_csv_too_long' },
	TOO_MANY_LOOKUPS: { status: 429, messageKey: 'error_too_many_lookups' },
	TOO_MANY_LOOKUPS_TODAY: { status: 429, messageKey: 'error_too_many_lookups_today' },
});

/** Refuses NUL. Empty fields are refused by the service, with the message that the specification prescribes. */
const typed = z
	.string()
	.max(limits.credentialFieldMaxLength, 'error_field_too_long')
	.refine((text) => !text.includes('\0'), 'error_invalid_input')
	.default('');

/** The typed fields. When a record is added, the service validates them and describes invalid fields in `error`. */
export const credentialInput = z.object({ username: typed, state: typed, id: typed, password: typed });
/** Accepts any value, which the service refuses with a message; the schema before `or` documents the expected type. */
const anyValue = typed.or(z.unknown());

export const credentials = {
	/** An unknown username and a wrong state have the same response: nothing found. TOO_MANY_LOOKUPS. */
	search: endpoint('public', 'POST /api/insta-credentials/search', 'Look up credentials by username and state')
		.input(z.object({ username: typed, state: typed }))
		.output(z.object({ found: z.boolean(), data: credential.nullable() })),
	/** Adds a record. `error`: the message when the input must be corrected or the call fails; null on success. */
	add: endpoint('admin', 'POST /api/insta-credentials/add', 'Add credentials', { tellsSuccess: true })
		.input(z.object({ username: anyValue, state: anyValue, id: anyValue, password: anyValue }))
		.output(z.object({ success: z.boolean(), error: z.string().nullable() })),
	list: endpoint('admin', 'GET /api/credentials', 'List credentials, newest first; with username and state, one record')
		.input(z.object({ username: typed, state: typed, cursor, limit: pageSize }))
		.output(pageOf(credentialRow, { total: z.number() })),
	/** CREDENTIAL_FIELDS, CREDENTIAL_EXISTS, CREDENTIAL_STALE, CREDENTIAL_GONE. */
	update: endpoint('admin', 'PUT /api/credentials/{record}', 'Change credentials')
		.input(credentialInput.extend({ record: z.string(), updatedAt: timestamp }))
		.output(credentialRow),
	/** Deletes a record permanently. CREDENTIAL_GONE. */
	remove: command('admin', 'DELETE /api/credentials/{record}', 'Delete credentials').input(
		z.object({ record: z.string() }),
	),
	/** Adds the valid rows of a CSV text and reports the invalid ones. CSV_HEADER, CSV_BROKEN, CSV_TOO_LONG. */
	importCsv: endpoint('admin', 'POST /api/credentials-import', 'Import credentials from CSV', {
		bodyLimitBytes: limits.credentialImportMaxBytes * 2,
	})
		.input(z.object({ csv: z.string().max(limits.credentialImportMaxBytes, 'error_field_too_long') }))
		// `rest`: the header and the rows that were not added, unchanged; '' when all were added.
		.output(z.object({ added: z.number(), problems: z.array(credentialImportProblem), rest: z.string() })),
	/** Lists the lookups, which are kept for `limits.credentialLookupDays` days. */
	lookups: endpoint('admin', 'GET /api/credential-lookups', 'List the lookups of credentials, newest first')
		.input(z.object({ filter: z.enum(lookupFilters).default('all'), cursor, limit: pageSize }))
		.output(pageOf(credentialLookup, { total: z.number() })),
};
