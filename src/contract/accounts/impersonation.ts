import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';

/** A view of the product as a member sees it ends by itself after this. */
export const impersonationSeconds = 3600;

export const impersonationErrors = defineErrors({
	READ_ONLY_VIEW: { status: 403, messageKey: 'error_impersonation_read_only' },
	/** Another admin, or somebody whose account is not active. */
	VIEW_NOT_POSSIBLE: { status: 409, messageKey: 'error_impersonation_not_possible' },
});

export const viewAs = {
	/** From here on this session sees what that member sees, read only, for an hour at most. NOT_FOUND, VIEW_NOT_POSSIBLE. */
	start: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/users/{id}/view-as', summary: 'See the product as a member does' })
		.input(z.object({ id: z.string() }))
		.output(z.object({})),
	/** Harmless without a view. */
	end: endpoint
		.meta({ access: 'member', isOpenInView: true })
		.route({ method: 'POST', path: '/api/view-as/end', summary: 'End the view as a member' })
		.input(z.object({}))
		.output(z.object({})),
};
