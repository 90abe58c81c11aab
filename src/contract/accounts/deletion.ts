import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';

/** The literal call that deletes a person. Source: the specification's section 7. */
export const deleteUserPath = '/delete-user-all';

/** What {@link deleteUserPath} answers; a failure carries the usual error body besides. */
export const deleteUserResponse = z.object({ success: z.boolean(), error: z.string().nullable() });
export type DeleteUserResponse = z.infer<typeof deleteUserResponse>;

export const accountDeletionErrors = defineErrors({
	LAST_ADMIN_STAYS: { status: 409, messageKey: 'error_last_admin_stays' },
	UID_REQUIRED: { status: 422, messageKey: 'error_uid_required' },
});

/** A deleted person whose files are still being removed. */
export const accountDeletion = z.object({
	/** Of the person who was deleted. */
	id: z.string(),
	email: z.string(),
	totalFiles: z.number(),
	removedFiles: z.number(),
});
export type AccountDeletion = z.infer<typeof accountDeletion>;

export const removals = {
	running: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/removals', summary: 'Deleted people whose files are still being removed' })
		.output(z.array(accountDeletion)),
};
