import * as z from 'zod';
import { bookAccess } from '../book/shelf.ts';
import {
	cursor,
	device,
	pageOf,
	pageSize,
	recordId,
	searchText,
	timestamp,
	typedEmail,
	typedPassword,
} from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { role } from './account.ts';

export const userSummary = z.object({
	id: z.string(),
	email: z.string(),
	/** Name from the user's newest order that has a name; null when there is none. */
	name: z.string().nullable(),
	role,
	active: z.boolean(),
	loginCount: z.number(),
	lastLoginAt: timestamp.nullable(),
	fileCount: z.number(),
	sizeBytes: z.number(),
	order: z.enum(['none', 'pending', 'complete']),
	/** Book access by an order or an admin's grant. Admins may read the book without either. */
	book: bookAccess,
	hasTwoFactor: z.boolean(),
	isSelf: z.boolean(),
});
export type UserSummary = z.infer<typeof userSummary>;

/** A user, with the fields of the specification's users list. */
export const firestoreUser = z.object({ id: z.string(), email: z.string(), role, active: z.boolean() });
export type FirestoreUser = z.infer<typeof firestoreUser>;

/** An import row that was not added. */
const userImportProblem = z.object({
	/** Line number in the file, counted from 1 with the header. */
	line: z.number(),
	/** The invalid value, as in the file. */
	value: z.string(),
	/** A sentence in the caller's language. */
	reason: z.string(),
});

/** The values of each filter. Arrays, so that the browser can import them without the schemas. */
export const userStatusFilters = ['all', 'active', 'deactivated'] as const;
export const userRoleFilters = ['all', 'user', 'admin'] as const;
export const userBookFilters = ['all', 'none', 'pending', 'open'] as const;

export const userFilters = z.object({
	search: searchText,
	status: z.enum(userStatusFilters).default('all'),
	role: z.enum(userRoleFilters).default('all'),
	/** Book access by an order or a grant, as in {@link userSummary}. */
	book: z.enum(userBookFilters).default('all'),
	/** ID of a group, also of a computed one; '' for all users. A deleted group has no members. */
	group: recordId.default(''),
});
export type UserFilters = z.infer<typeof userFilters>;

/** `recent`: last sign-in or, without one, registration, newest first. `newest`: newest registration first. */
export const userSorts = ['recent', 'newest', 'email'] as const;
export const userSort = z.enum(userSorts);
export type UserSort = z.infer<typeof userSort>;

export const userErrors = defineErrors({
	ROLE_REQUIRED: { status: 422, messageKey: 'error_role_required' },
	EMAIL_IN_USE: { status: 409, messageKey: 'error_email_in_use' },
	EMAIL_INVALID: { status: 422, messageKey: 'error_email_invalid' },
	LAST_ADMIN: { status: 409, messageKey: 'error_last_admin' },
	LAST_ADMIN_ROLE: { status: 409, messageKey: 'error_last_admin_role' },
});

export const people = {
	/** A cursor of another sort is invalid: INVALID_INPUT with `fields.cursor`. */
	list: endpoint('admin', 'GET /api/users', 'List users, searched by email or name')
		.input(z.object({ ...userFilters.shape, sort: userSort.default('recent'), cursor, limit: pageSize }))
		.output(
			pageOf(userSummary, {
				total: z.number(),
				/** Whether more users match than `total`; the count of a broad search stops at a limit. */
				isMore: z.boolean(),
			}),
		),
	/** ROLE_REQUIRED, EMAIL_IN_USE, EMAIL_INVALID, WEAK_PASSWORD. */
	register: endpoint('admin', 'POST /api/users', 'Add a user')
		.input(z.object({ email: typedEmail, password: typedPassword, role: z.string().max(20) }))
		.output(userSummary),
	/** Activates or deactivates a user; deactivation ends all their sessions within a second. LAST_ADMIN, NOT_FOUND. */
	setActive: endpoint('admin', 'POST /api/users/{id}/active', 'Activate or deactivate a user')
		.input(z.object({ id: z.string(), active: z.boolean() }))
		.output(userSummary),
	/** Changes the role; the user's open pages reload the account data at once. LAST_ADMIN_ROLE, NOT_FOUND. */
	setRole: endpoint('admin', 'POST /api/users/{id}/role', 'Change the role of a user')
		.input(z.object({ id: z.string(), role }))
		.output(userSummary),
	/** Adds the users of a CSV text (email, name, role), mails each a link, reports invalid rows. CSV_*. */
	importCsv: endpoint('admin', 'POST /api/users-import', 'Import users from CSV', {
		bodyLimitBytes: limits.userImportMaxBytes * 2,
	})
		.input(z.object({ csv: z.string().max(limits.userImportMaxBytes, 'error_field_too_long') }))
		// `rest`: the header and the rows that were not added, unchanged; '' when all were added.
		.output(z.object({ added: z.number(), problems: z.array(userImportProblem), rest: z.string() })),
	/** Source: the specification's section 7. */
	firestoreUsers: endpoint('admin', 'GET /firestore-users', 'List all users in the format of the specification')
		.input(z.object({}))
		.output(z.array(firestoreUser)),
	/** Source: the specification's section 7. The role is `user`. EMAIL_IN_USE, EMAIL_INVALID, WEAK_PASSWORD. */
	registerUser: endpoint('admin', 'POST /api/users/register', 'Register a user by email and password')
		.input(z.object({ email: typedEmail, password: typedPassword }))
		.output(firestoreUser),
};

/** One sign-in: the fields of the specification's section 3, and `device`. */
export const loginEntry = z.object({
	id: z.string(),
	lastLogin: timestamp,
	/** Number of this sign-in among the user's sign-ins, from 1. */
	loginCount: z.number(),
	/** The User-Agent header as it was sent. */
	browserInfo: z.string(),
	ipAddresses: z.array(z.object({ ip: z.string(), loginNumber: z.number(), timestamp })),
	/** Browser and system, parsed from `browserInfo`. */
	device,
});
export type LoginEntry = z.infer<typeof loginEntry>;

export const history = {
	/** NOT_FOUND for an address without an account. */
	list: endpoint('admin', 'GET /api/login-history', 'List the sign-ins of a user, newest first')
		.input(z.object({ email: typedEmail, cursor, limit: pageSize }))
		.output(
			pageOf(loginEntry, {
				person: userSummary.pick({ id: true, email: true, name: true, active: true, loginCount: true }),
			}),
		),
};
