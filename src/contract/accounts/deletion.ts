import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';

/** Path of the endpoint that deletes a user. Source: the specification's section 7. */
export const deleteUserPath = '/delete-user-all';

/** Response of {@link deleteUserPath}; a failure also has the fields of the usual error body. */
export const deleteUserResponse = z.object({ success: z.boolean(), error: z.string().nullable() });
export type DeleteUserResponse = z.infer<typeof deleteUserResponse>;

export const accountDeletionErrors = defineErrors({
	LAST_ADMIN_STAYS: { status: 409, messageKey: 'error_last_admin_stays' },
	UID_REQUIRED: { status: 422, messageKey: 'error_uid_required' },
});

/** A deleted user whose files are still being removed. */
export const accountDeletion = z.object({
	id: z.string(),
	email: z.string(),
	totalFiles: z.number(),
	removedFiles: z.number(),
});
export type AccountDeletion = z.infer<typeof accountDeletion>;

export const removals = {
	running: endpoint('admin', 'GET /api/removals', 'List deleted users whose files are still being removed').output(
		z.array(accountDeletion),
	),
};
