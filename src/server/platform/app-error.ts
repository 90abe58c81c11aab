import { accountErrors } from '#contract/account/account.ts';
import { cannedReplyErrors } from '#contract/chat/canned-replies.ts';
import { chatErrors } from '#contract/chat/chat.ts';
import { chatPersonErrors } from '#contract/chat/chat-person.ts';
import { coreErrors, type ErrorDeclaration } from '#contract/core/errors.ts';
import { credentialErrors } from '#contract/credentials/credentials.ts';
import { fileErrors } from '#contract/files/files.ts';
import { orderErrors } from '#contract/orders/orders.ts';
import { statementErrors } from '#contract/orders/statement.ts';
import { peopleErrors } from '#contract/people/people.ts';
import { readingErrors } from '#contract/reader/reading.ts';
import { removalErrors } from '#contract/removal/removal.ts';
import { settingsErrors } from '#contract/settings/book-settings.ts';
import { sharingErrors } from '#contract/sharing/sharing.ts';
import { filmErrors } from '#contract/storefront/films.ts';
import { storefrontErrors } from '#contract/storefront/storefront.ts';
import { twoFactorErrors } from '#contract/two-factor/two-factor.ts';
import { viewAsErrors } from '#contract/view-as/view-as.ts';

const catalogue = {
	...coreErrors,
	...accountErrors,
	...cannedReplyErrors,
	...chatErrors,
	...chatPersonErrors,
	...credentialErrors,
	...fileErrors,
	...filmErrors,
	...orderErrors,
	...statementErrors,
	...peopleErrors,
	...readingErrors,
	...removalErrors,
	...settingsErrors,
	...sharingErrors,
	...storefrontErrors,
	...twoFactorErrors,
	...viewAsErrors,
} satisfies Record<string, ErrorDeclaration>;

export type ErrorCode = keyof typeof catalogue;

interface AppErrorOptions {
	/** Fill the placeholders of the sentence. */
	params?: Record<string, string>;
	/** For a form: the key of a sentence (or a finished sentence) for each field in error. */
	fields?: Record<string, string>;
	/** Seconds after which a retry makes sense. */
	retryAfterSeconds?: number;
	cause?: unknown;
}

/** A failure that a person may read: a stable code, its status, its sentence. Anything else is a 500 and logged. */
export class AppError extends Error {
	override name = 'AppError';
	readonly code: ErrorCode;
	readonly status: number;
	/** Key of the sentence in the message files. */
	readonly text: string;
	readonly params: Record<string, string>;
	readonly fields: Record<string, string> | undefined;
	readonly retryAfterSeconds: number | undefined;

	constructor(code: ErrorCode, options: AppErrorOptions = {}) {
		super(code, { cause: options.cause });
		this.code = code;
		this.status = catalogue[code].status;
		this.text = catalogue[code].text;
		this.params = options.params ?? {};
		this.fields = options.fields;
		this.retryAfterSeconds = options.retryAfterSeconds;
	}
}
