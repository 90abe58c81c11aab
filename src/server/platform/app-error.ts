import { accountErrors } from '#contract/accounts/account.ts';
import { userErrors } from '#contract/accounts/administration.ts';
import { accountDeletionErrors } from '#contract/accounts/deletion.ts';
import { groupErrors } from '#contract/accounts/groups.ts';
import { savedFilterErrors } from '#contract/accounts/saved-filters.ts';
import { impersonationErrors } from '#contract/accounts/sessions.ts';
import { twoFactorErrors } from '#contract/accounts/two-factor.ts';
import { bookErrors } from '#contract/book/book-settings.ts';
import { readingErrors } from '#contract/book/reading.ts';
import { cannedReplyErrors } from '#contract/chat/canned-replies.ts';
import { chatErrors } from '#contract/chat/chat.ts';
import { memberCardErrors } from '#contract/chat/member-card.ts';
import { coreErrors, type ErrorDeclaration } from '#contract/core/errors.ts';
import { credentialErrors } from '#contract/credentials/credentials.ts';
import { fileErrors } from '#contract/files/files.ts';
import { checkoutErrors } from '#contract/orders/checkout.ts';
import { orderErrors } from '#contract/orders/orders.ts';
import { statementErrors } from '#contract/orders/statement-import.ts';
import { testPurchaseErrors } from '#contract/orders/test-purchase.ts';
import { sharingErrors } from '#contract/sharing/sharing.ts';
import { contentErrors } from '#contract/storefront/content.ts';
import type { MessageParam } from './messages.ts';

const errorDeclarations = {
	...coreErrors,
	...accountErrors,
	...cannedReplyErrors,
	...chatErrors,
	...memberCardErrors,
	...credentialErrors,
	...fileErrors,
	...contentErrors,
	...orderErrors,
	...statementErrors,
	...userErrors,
	...groupErrors,
	...readingErrors,
	...accountDeletionErrors,
	...bookErrors,
	...sharingErrors,
	...checkoutErrors,
	...testPurchaseErrors,
	...twoFactorErrors,
	...impersonationErrors,
	...savedFilterErrors,
} satisfies Record<string, ErrorDeclaration>;

export type ErrorCode = keyof typeof errorDeclarations;

interface AppErrorOptions {
	/** A message that replaces the code's own. */
	messageKey?: string;
	/** Values for the placeholders of the message. */
	params?: Record<string, MessageParam>;
	/** Message key, or translated message, for each invalid field of a form. */
	fields?: Record<string, string>;
	retryAfterSeconds?: number;
	cause?: unknown;
}

/** An error for the client, with a stable code, status and message. Other errors are logged and answered with 500. */
export class AppError extends Error {
	override name = 'AppError';
	readonly code: ErrorCode;
	readonly status: number;
	readonly messageKey: string;
	readonly params: Record<string, MessageParam>;
	readonly fields: Record<string, string> | undefined;
	readonly retryAfterSeconds: number | undefined;

	constructor(code: ErrorCode, options: AppErrorOptions = {}) {
		super(code, { cause: options.cause });
		this.code = code;
		this.status = errorDeclarations[code].status;
		this.messageKey = options.messageKey ?? errorDeclarations[code].messageKey;
		this.params = options.params ?? {};
		this.fields = options.fields;
		this.retryAfterSeconds = options.retryAfterSeconds;
	}
}

/** Thrown for a file that cannot be used. */
export abstract class InvalidFileError<Reason extends string> extends Error {
	readonly reason: Reason;
	readonly isTemporary = false;
	constructor(reason: Reason) {
		super(reason);
		this.reason = reason;
	}
}

/** Returns the value. @throws AppError with this code when the value is undefined */
export function required<T>(value: T | undefined, code: ErrorCode): T {
	if (value === undefined) throw new AppError(code);
	return value;
}

/** For `.catch`: returns null for NOT_FOUND, which is also thrown without access; rethrows any other error. */
export function ignoreNotFound(error: unknown): null {
	if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
	throw error;
}
