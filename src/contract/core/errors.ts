/** An error for users: HTTP status and message key. Features declare their errors with {@link defineErrors}. */
export interface ErrorDeclaration {
	status: number;
	/** Key in the message files; parameters of the error fill its placeholders. */
	messageKey: string;
}

/** Returns the declarations unchanged, with the codes as literal types. */
export function defineErrors<const T extends Record<string, ErrorDeclaration>>(errors: T): T {
	return errors;
}

/** Body of every failed call, JSON or oRPC. `message` is in the caller's language. */
export interface ErrorBody {
	code: string;
	status: number;
	message: string;
	/** For forms: a message for each invalid field, by field name. */
	fields?: Record<string, string>;
}

export const coreErrors = defineErrors({
	UNAUTHORIZED: { status: 401, messageKey: 'error_unauthorized' },
	ACCOUNT_INACTIVE: { status: 403, messageKey: 'error_account_inactive' },
	FORBIDDEN: { status: 403, messageKey: 'error_forbidden' },
	WRONG_ORIGIN: { status: 403, messageKey: 'error_wrong_origin' },
	NOT_FOUND: { status: 404, messageKey: 'error_not_found' },
	STALE: { status: 409, messageKey: 'error_stale' },
	BODY_TOO_LARGE: { status: 413, messageKey: 'error_body_too_large' },
	WRONG_CONTENT_TYPE: { status: 415, messageKey: 'error_wrong_content_type' },
	INVALID_INPUT: { status: 422, messageKey: 'error_invalid_input' },
	TOO_MANY_REQUESTS: { status: 429, messageKey: 'error_too_many_requests' },
	TOO_MANY_OPEN: { status: 429, messageKey: 'error_too_many_open' },
	INTERNAL: { status: 500, messageKey: 'error_internal' },
	BUSY: { status: 503, messageKey: 'error_busy' },
	STORAGE_UNAVAILABLE: { status: 503, messageKey: 'error_storage_unavailable' },
	STORAGE_FULL: { status: 507, messageKey: 'error_storage_full' },
});
