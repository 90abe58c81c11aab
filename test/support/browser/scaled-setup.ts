import { startSwift } from '../../../scripts/services/swift.mjs';
import { sharedPostgresVariable, sharedStoreVariable } from '../services/cluster.ts';
import { startPostgres } from '../services/postgres-server.ts';

/** Playwright's global setup of scaled journeys: starts one PostgreSQL server and one S3 store for the whole run. */
export default async function setup(): Promise<() => Promise<void>> {
	const server = await startPostgres();
	const { settings, stop } = await startSwift();
	process.env[sharedPostgresVariable] = server.urlOf('postgres');
	process.env[sharedStoreVariable] = JSON.stringify(settings);
	return async () => {
		await stop();
		await server.stop();
	};
}
