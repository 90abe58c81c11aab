import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';

/** The specification's `settings/dashboard`: `showSharedFolders` true (also when nothing was ever saved) means Shared Folders, false means Course. */
const dashboard = z.object({ showSharedFolders: z.boolean() });

export const dashboardSettings = {
	get: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/settings/dashboard', summary: 'What the dashboard button opens' })
		.output(dashboard),
	save: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/settings/dashboard', summary: 'Change what the dashboard button opens' })
		.input(dashboard)
		.output(dashboard),
};
