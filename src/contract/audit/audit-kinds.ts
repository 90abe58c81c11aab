import * as z from 'zod';

export const auditKind = z.enum(['people', 'sign-in', 'orders', 'files', 'settings', 'credentials']);
export type AuditKind = z.infer<typeof auditKind>;

/** The actions of each kind. Entries with an action of an earlier version that is missing here have no kind. */
export const auditActions = {
	people: [
		'user-registered',
		'user-activated',
		'user-deactivated',
		'user-role-changed',
		'admin-created',
		'people-imported',
		'logins-imported',
		'login-taken-over',
		'user-deleted',
		'view-as-started',
		'view-as-ended',
		'chat-cleared',
		'login-sent',
		'reading-names-asked',
		'book-granted',
		'book-grant-taken',
	],
	'sign-in': [
		'password-set',
		'password-reset',
		'password-changed',
		'sessions-ended',
		'two-factor-on',
		'two-factor-off',
		'two-factor-reset',
		'recovery-codes-renewed',
		'recovery-code-used',
	],
	orders: [
		'order-placed',
		'proof-added',
		'order-updated',
		'order-deleted',
		'order-note-written',
		'proof-wanted',
		'order-address-corrected',
		'orders-exported',
	],
	files: [
		'folder-created',
		'folder-renamed',
		'folder-moved',
		'folder-copied',
		'folder-copy-undone',
		'folder-deleted',
		'folder-restored',
		'folder-purged',
		'file-uploaded',
		'file-renamed',
		'file-moved',
		'file-copied',
		'file-deleted',
		'file-restored',
		'file-replaced',
		'file-purged',
		'trash-emptied',
		'quota-set',
		'folder-shared',
		'folder-unshared',
		'file-shared',
		'file-unshared',
	],
	settings: [
		'book-settings-saved',
		'files-settings-saved',
		'dashboard-set',
		'storefront-saved',
		'outline-pairs-saved',
		'qr-uploaded',
		'film-replaced',
		'film-removed',
		'film-titled',
		'mail-settings-saved',
		'visit-settings-saved',
		'contact-info-saved',
		'canned-reply-added',
		'canned-reply-changed',
		'canned-reply-deleted',
		'canned-replies-sorted',
		'two-factor-requirement-changed',
	],
	credentials: ['credential-added', 'credential-changed', 'credential-deleted', 'credentials-imported'],
} as const satisfies Record<AuditKind, readonly string[]>;
export type AuditAction = (typeof auditActions)[AuditKind][number];

const kinds = new Map<string, AuditKind>(
	Object.entries(auditActions).flatMap(([kind, actions]) => actions.map((action) => [action, kind as AuditKind])),
);

export function auditKindOf(action: string): AuditKind | null {
	return kinds.get(action) ?? null;
}
